// Contacts on chains: what a step needs before its contact problem is solved, by several formulations and programs.
//
//     bench_chain_contacts [most_links]      (100000 if left out)
//
// For chains of 10 to 10⁵ revolute links with 1, 4 and 16 contacts on random links. The benchmark times v̇ from (q, v,
// τ) together with A = J M⁻¹ Jᵀ, three rows a contact. It runs divide and conquer on one thread (assemblies, contact
// columns) and the articulated recursion (paths to the root). It also runs the dense formulation (mass matrix, Cholesky
// factors). The peers are Debian's MuJoCo, Simbody and DART, which have functions for both. Every program's A is first
// checked against Carom's. At the end it prints the exponents of the time in the number of links.
//
// Times are processor times of one thread, medians of repetitions in which Carom's formulations take turns. Each peer
// is timed in a process of its own, since deep recursions crash some.

#include <tbb/global_control.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/dynamics_peers.h"
#include "benchmarks/guarded_calls.h"
#include "carom/dynamics/divide_and_conquer/wrench_columns.h"
#include "carom/dynamics/recursions.h"
#include "testing/models/random_tree.h"
#include "testing/models/reference_models.h"

namespace {

using namespace carom;
using bench::DynamicsPeer;
using bench::Outcome;
using bench::PeerPoint;

constexpr int most_dense = 1000;    // links: a thousand take a tenth of a second
constexpr double peer_limit = 600;  // s, for making a peer's model and timing it

/// A chain in a state, and points of its links at which contacts push.
struct Case {
  Model model;
  bench::DynamicsState state;
  std::vector<PeerPoint> points;

  Case(int links, int contacts) : model(revolute_chain(links)) {
    Random random(1);
    state.q = random_position(model, random);
    state.v = random.vector(links, 0.1);
    state.tau = random.vector(links, 1);
    for (int i = 0; i < contacts; ++i) points.push_back({random.index(links), random.vector(0.1)});
  }

  std::vector<ConstraintRow> rows(const DynamicsWorkspace& workspace) const {
    std::vector<ConstraintRow> rows;
    for (const PeerPoint& point : points) {
      ConstraintRow row;
      row.body_a = point.body;
      row.point_a = row.point_b = workspace.X_WB[point.body] * point.at;
      for (int axis = 0; axis < 3; ++axis) {
        row.direction = Vec3::Unit(axis);
        rows.push_back(row);
      }
    }
    return rows;
  }
};

/// v̇ and A by one of Carom's formulations.
struct Formulation {
  std::string name;
  std::function<void()> call;
  std::function<MatrixX()> delassus;
};

std::vector<Formulation> formulations(const Case& chain, std::vector<std::shared_ptr<void>>& kept) {
  const auto workspace = std::make_shared<DynamicsWorkspace>(chain.model);
  const auto vdot = std::make_shared<VectorX>();
  const auto assemblies = std::make_shared<DivideAndConquer>(chain.model);
  const auto columns = std::make_shared<WrenchColumns>();
  const auto paths = std::make_shared<Delassus>();
  forward_kinematics(chain.model, chain.state.q, *workspace);
  const auto rows = std::make_shared<std::vector<ConstraintRow>>(chain.rows(*workspace));
  kept = {workspace, vdot, assemblies, columns, paths, rows};
  const Model& model = chain.model;
  const bench::DynamicsState& state = chain.state;
  std::vector<Formulation> all;
  all.push_back({"divide and conquer",
                 [&, workspace, vdot, assemblies, columns, rows] {
                   assemblies->forward_dynamics(model, state.q, state.v, state.tau, *workspace, *vdot);
                   columns->build(model, *rows, *assemblies, *workspace);
                 },
                 [columns] { return MatrixX(columns->matrix()); }});
  all.push_back({"articulated",
                 [&, workspace, vdot, paths, rows] {
                   forward_dynamics(model, state.q, state.v, state.tau, *workspace, *vdot);
                   paths->build(model, *rows, *workspace);
                 },
                 [paths] { return MatrixX(paths->matrix()); }});
  if (model.velocity_count() > most_dense) return all;
  struct Dense {
    MatrixX M, Y, A;
    VectorX bias;
    Eigen::LLT<MatrixX> factors;
    Delassus jacobian;
  };
  const auto dense = std::make_shared<Dense>();
  kept.push_back(dense);
  all.push_back({"dense",
                 [&, workspace, vdot, dense, rows] {
                   forward_kinematics(model, state.q, *workspace);
                   forward_velocity(model, state.q, state.v, *workspace);
                   inverse_dynamics(model, VectorX::Zero(state.v.size()), *workspace, dense->bias);
                   mass_matrix(model, *workspace, dense->M);
                   dense->factors.compute(dense->M);
                   *vdot = dense->factors.solve(state.tau - dense->bias);
                   factor_mass(model, VectorX(), *workspace);  // for the rows of J alone
                   dense->jacobian.build(model, *rows, *workspace, Delassus::Form::product);
                   dense->Y = dense->factors.matrixL().solve(dense->jacobian.jacobian().transpose());
                   dense->A.noalias() = dense->Y.transpose() * dense->Y;
                 },
                 [dense] { return dense->A; }});
  return all;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double seconds_of(const std::function<void()>& call) {
  const double start = bench::processor_seconds();
  call();
  return bench::processor_seconds() - start;
}

double apart(const MatrixX& A, const MatrixX& expected) {
  return (A - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

using Times = std::map<std::string, std::map<int, double>>;  // by name and links, s

/// Carom's formulations in turn; each call is repeated until it takes a tenth of a millisecond.
void time_carom(int links, int contacts, Times& times, std::map<std::string, double>& worst) {
  const Case chain(links, contacts);
  std::vector<std::shared_ptr<void>> kept;
  const std::vector<Formulation> all = formulations(chain, kept);
  std::vector<std::vector<double>> samples(all.size());
  std::vector<int> repeats;
  MatrixX expected;
  for (const Formulation& formulation : all) {
    formulation.call();
    repeats.push_back(std::max(1, static_cast<int>(1e-4 / std::max(1e-7, seconds_of(formulation.call)))));
    if (formulation.name == "articulated") expected = formulation.delassus();
  }
  for (const Formulation& formulation : all) {
    worst[formulation.name] = std::max(worst[formulation.name], apart(formulation.delassus(), expected));
  }
  const int rounds = links <= 1000 ? 31 : 11;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      samples[i].push_back(seconds_of([&] {
                             for (int k = 0; k < repeats[i]; ++k) all[i].call();
                           }) /
                           repeats[i]);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) times[all[i].name][links] = median(samples[i]);
}

/// False if the peer does not come to an end; then longer chains are not tried.
bool time_peer(const bench::DynamicsPeerKind& kind, int links, int contacts, Times& times,
               std::map<std::string, double>& worst) {
  const Case chain(links, contacts);
  DynamicsWorkspace workspace(chain.model);
  forward_kinematics(chain.model, chain.state.q, workspace);
  factor_mass(chain.model, VectorX(), workspace);
  Delassus delassus;
  delassus.build(chain.model, chain.rows(workspace), workspace);
  const MatrixX expected = delassus.matrix();
  const std::vector<Outcome> outcomes = bench::guarded_calls(1, peer_limit, [&](int) {
    Outcome outcome;
    const std::unique_ptr<DynamicsPeer> peer = kind.make(chain.model);
    if (!peer) return outcome;
    bench::DynamicsState other = chain.state;  // some remember what they computed
    other.q.array() += 1e-6;
    peer->set_states({chain.state, other});
    peer->set_points(chain.points);
    const auto call = [&](int k) {
      peer->evaluate(k);
      peer->evaluate_delassus();
    };
    call(0);
    outcome.residual = apart(peer->delassus(), expected);
    int k = 0;
    outcome.seconds = bench::median_seconds([&] { call(++k % 2); });
    return outcome;
  });
  const Outcome& outcome = outcomes.front();
  if (!outcome.returned || !std::isfinite(outcome.residual)) return false;
  times[kind.name][links] = outcome.seconds;
  worst[kind.name] = std::max(worst[kind.name], outcome.residual);
  return true;
}

/// Least squares slope of log time over log links.
double exponent(const std::map<int, double>& times, int from, int to) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [links, seconds] : times) {
    if (links < from || links > to) continue;
    const double a = std::log(links), b = std::log(seconds);
    n += 1, x += a, y += b, xx += a * a, xy += a * b;
  }
  return n < 2 ? std::nan("") : (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace

int main(int count, char** arguments) {
  const int most_links = count > 1 ? std::atoi(arguments[1]) : 100000;
  std::vector<int> sizes;
  for (const int links : {10, 32, 100, 316, 1000, 3162, 10000, 31623, 100000}) {
    if (links <= most_links) sizes.push_back(links);
  }
  std::vector<std::string> names{"divide and conquer", "articulated", "dense"};
  for (const bench::DynamicsPeerKind& kind : bench::dynamics_peers()) names.push_back(kind.name);
  std::map<std::string, double> worst;
  std::map<std::string, int> longest;  // of each peer with one contact: longer chains are not tried with more
  for (const int contacts : {1, 4, 16}) {
    Times times;
    for (const bench::DynamicsPeerKind& kind : bench::dynamics_peers()) {
      for (const int links : sizes) {
        if (contacts > 1 && links > longest[kind.name]) break;
        if (!time_peer(kind, links, contacts, times, worst)) break;
        if (contacts == 1) longest[kind.name] = links;
      }
    }
    {
      const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
      for (const int links : sizes) time_carom(links, contacts, times, worst);
    }
    std::printf("%d contacts: v̇ and A, µs\n\n| links |", contacts);
    for (const std::string& name : names) std::printf(" %s |", name.c_str());
    std::printf("\n| ---");
    for (std::size_t i = 0; i < names.size(); ++i) std::printf(" | ---");
    std::printf(" |\n");
    for (const int links : sizes) {
      std::printf("| %d |", links);
      for (const std::string& name : names) {
        if (times[name].contains(links)) {
          std::printf(" %.3g |", 1e6 * times[name][links]);
        } else {
          std::printf(" – |");
        }
      }
      std::printf("\n");
    }
    for (const char* name : {"divide and conquer", "articulated"}) {
      std::printf("\nexponent of %s: %.2f from 100 to 10000 links, %.2f from 10000", name,
                  exponent(times[name], 100, 10000), exponent(times[name], 10000, 100000));
    }
    std::printf("\n\n");
    std::fflush(stdout);
  }
  std::printf("largest difference from the articulated A, relative to its largest entry:\n");
  for (const auto& [name, value] : worst) std::printf("  %s %.1e\n", name.c_str(), value);
  return 0;
}
