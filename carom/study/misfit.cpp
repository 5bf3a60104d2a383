#include "carom/study/misfit.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/error.h"

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Difference quotients of one experiment's residuals by one unknown, over several half-widths.
std::vector<std::optional<VectorXd>> quotients(const Misfit& misfit, int experiment, const VectorXd& u, int unknown,
                                               const std::vector<double>& widths, const VectorXd* here) {
  std::vector<std::optional<VectorXd>> all;
  for (const double h : widths) {
    VectorXd moved = u;
    const double above = std::min(u[unknown] + h, 1.0), below = std::max(u[unknown] - h, 0.0);
    moved[unknown] = above;
    const std::optional<VectorXd> ahead = misfit.residuals(experiment, moved);
    moved[unknown] = below;
    const std::optional<VectorXd> behind = misfit.residuals(experiment, moved);
    if (ahead && behind) {
      all.emplace_back((*ahead - *behind) / (above - below));
    } else if (here != nullptr && ahead && above > u[unknown]) {
      all.emplace_back((*ahead - *here) / (above - u[unknown]));
    } else if (here != nullptr && behind && below < u[unknown]) {
      all.emplace_back((*here - *behind) / (u[unknown] - below));
    } else {
      all.emplace_back();
    }
  }
  return all;
}

}  // namespace

const std::vector<std::string>& loss_names() {
  static const std::vector<std::string> names{"squares", "soft_l1", "huber"};
  return names;
}

Loss parse_loss(const std::string& name) {
  const auto found = std::find(loss_names().begin(), loss_names().end(), name);
  if (found == loss_names().end()) throw Error("unknown loss '" + name + "'; there are squares, soft_l1 and huber");
  return static_cast<Loss>(found - loss_names().begin());
}

LossValue loss_at(Loss loss, double z) {
  if (loss == Loss::soft_l1) {
    const double root = std::sqrt(1 + z);
    return {2 * (root - 1), 1 / root};
  }
  constexpr double k = 1.345;
  if (loss == Loss::huber && z > k * k) return {2 * k * std::sqrt(z) - k * k, k / std::sqrt(z)};
  return {z, 1};
}

std::vector<int> counted_experiments(const Misfit& misfit) {
  std::vector<int> counted;
  for (int e = 0; e < misfit.experiments(); ++e) {
    if (misfit.weight[static_cast<std::size_t>(e)] > 0) counted.push_back(e);
  }
  return counted;
}

std::optional<std::vector<VectorXd>> all_residuals(const Misfit& misfit, const VectorXd& u) {
  std::vector<std::optional<VectorXd>> found(static_cast<std::size_t>(misfit.experiments()));
  const std::vector<int> counted = counted_experiments(misfit);
  tbb::parallel_for(std::size_t{0}, counted.size(), [&](std::size_t i) {
    found[static_cast<std::size_t>(counted[i])] = misfit.residuals(counted[i], u);
  });
  std::vector<VectorXd> residuals(found.size());
  for (const int e : counted) {
    std::optional<VectorXd>& one = found[static_cast<std::size_t>(e)];
    if (!one) return {};
    residuals[static_cast<std::size_t>(e)] = std::move(*one);
  }
  return residuals;
}

double cost_of(const Misfit& misfit, const std::vector<VectorXd>& residuals) {
  double cost = 0;
  for (std::size_t e = 0; e < residuals.size(); ++e) {
    double sum = 0;
    for (const double r : residuals[e]) sum += loss_at(misfit.loss, r * r).value;
    cost += 0.5 * misfit.weight[e] * sum;
  }
  return std::isfinite(cost) ? cost : infinite;
}

double cost_of_experiment(const Misfit& misfit, int experiment, const VectorXd& u) {
  const std::optional<VectorXd> residuals = misfit.residuals(experiment, u);
  if (!residuals) return infinite;
  double sum = 0;
  for (const double r : *residuals) sum += loss_at(misfit.loss, r * r).value;
  return std::isfinite(sum) ? 0.5 * sum : infinite;
}

double cost_at(const Misfit& misfit, const VectorXd& u) {
  const auto residuals = all_residuals(misfit, u);
  return residuals ? cost_of(misfit, *residuals) : infinite;
}

MatrixXd jacobian(const Misfit& misfit, const VectorXd& u, const std::vector<VectorXd>& here,
                  const std::vector<int>& free, double h) {
  struct Part {
    int experiment, column;
    Eigen::Index row;
  };
  std::vector<Part> parts;
  Eigen::Index rows = 0;
  for (const int e : counted_experiments(misfit)) {
    for (std::size_t c = 0; c < free.size(); ++c) {
      if (misfit.matters(free[c], e)) parts.push_back({e, static_cast<int>(c), rows});
    }
    rows += here[static_cast<std::size_t>(e)].size();
  }
  MatrixXd J = MatrixXd::Zero(rows, static_cast<Eigen::Index>(free.size()));
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t i) {
    const Part& part = parts[i];
    const VectorXd& middle = here[static_cast<std::size_t>(part.experiment)];
    const auto found =
        quotients(misfit, part.experiment, u, free[static_cast<std::size_t>(part.column)], {h}, &middle).front();
    if (found && found->allFinite()) J.col(part.column).segment(part.row, middle.size()) = *found;
  });
  return J;
}

Smoothness smoothness(const Misfit& misfit, const std::vector<VectorXd>& points) {
  constexpr double wide = 2e-3, narrow = 2e-4, part = 0.2;
  constexpr double round_off = 1e-6;  // of residuals, in units of their noise
  const std::vector<int> counted = counted_experiments(misfit);
  struct Task {
    std::size_t point;
    int unknown, experiment;
    VectorXd wide, narrow;
    bool known = false;
  };
  std::vector<Task> tasks;
  for (std::size_t p = 0; p < points.size(); ++p) {
    for (int k = 0; k < misfit.unknowns(); ++k) {
      for (const int e : counted) {
        if (misfit.matters(k, e)) tasks.push_back({p, k, e, {}, {}, false});
      }
    }
  }
  tbb::parallel_for(std::size_t{0}, tasks.size(), [&](std::size_t i) {
    Task& task = tasks[i];
    VectorXd u = points[task.point];
    u[task.unknown] = std::clamp(u[task.unknown], wide, 1 - wide);  // so that all differences are central
    const auto found = quotients(misfit, task.experiment, u, task.unknown, {wide, wide / 2, narrow}, nullptr);
    task.known = found[0] && found[1] && found[2];
    if (!task.known) return;
    task.wide = (4 * *found[1] - *found[0]) / 3;
    task.narrow = *found[2];
  });
  Smoothness result;
  for (const Task& task : tasks) {
    if (!task.known) continue;
    const VectorXd difference = task.wide - task.narrow;
    const double unit = std::max(task.wide.norm(), task.narrow.norm());
    if (!(difference.norm() * narrow > round_off) || !(unit > 0)) continue;
    const double relative = difference.norm() / unit;
    if (relative <= result.worst) continue;
    result.worst = relative;
    if (relative <= part) continue;
    result.smooth = false;
    result.unknown = task.unknown;
    result.experiment = task.experiment;
    Eigen::Index row = 0;
    difference.cwiseAbs().maxCoeff(&row);
    result.row = static_cast<int>(row);
  }
  return result;
}

}  // namespace carom
