#include "carom/record/problem_summary.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/counted.h"
#include "carom/record/certificate_json.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

constexpr Eigen::Index most_rows_for_rank = 1500;
constexpr std::array<const char*, 5> kind_names = {"bilateral", "bounded", "unilateral", "cone", "ellipsoid"};

std::array<int, 5> count_kinds(const std::vector<Block>& blocks) {
  std::array<int, 5> counts{};
  for (const Block& block : blocks) ++counts[static_cast<std::size_t>(block.kind)];
  return counts;
}

int count_contacts(const std::vector<Block>& blocks) {
  return static_cast<int>(std::count_if(blocks.begin(), blocks.end(), [](const Block& b) { return b.is_contact(); }));
}

const char* form_text(ContactOperator::Form form) {
  switch (form) {
    case ContactOperator::Form::dense:
      return "dense";
    case ContactOperator::Form::sparse:
      return "sparse";
    case ContactOperator::Form::factors:
      return "factors";
    case ContactOperator::Form::product:
      return "product";
  }
  return "unknown";
}

/// Largest entry of N over that of A.
double skew_part(const StoredProblem& stored) {
  if (stored.is_symmetric()) return 0;
  const double size = stored.form == ContactOperator::Form::sparse ? stored.sparse.coeffs().abs().maxCoeff()
                                                                   : stored.dense.cwiseAbs().maxCoeff();
  return stored.skew.coeffs().abs().maxCoeff() / size;
}

Json numbers(const Eigen::VectorXd& vector) {
  Json list = Json::array();
  for (double value : vector) list.push_back(json_number(value));
  return list;
}

Json operator_object(const StoredProblem& stored) {
  const int rank = operator_rank(stored);
  Json object{{"form", form_text(stored.form)}};
  object["non_zeros"] = stored.form == ContactOperator::Form::sparse ? Json(stored.sparse.nonZeros()) : Json();
  object["rank"] = rank < 0 ? Json() : Json(rank);
  object["skew"] = json_number(skew_part(stored));
  return object;
}

bool has_floors(const StoredProblem& stored) {
  return std::any_of(stored.blocks.begin(), stored.blocks.end(), [](const Block& b) { return b.floor > 0; });
}

Json solve_certificate(const StoredProblem& stored, const StoredSolution& solved) {
  const SolveCertificate& certificate = solved.certificate;
  const bool exact = solved.options.cone == FrictionCone::exact;
  Json reasons = Json::object();
  Json object{{"status", status_name(solved.solution.status)},
              {"normal_complementarity", json_number(certificate.normal_complementarity)},
              {"cone_violation", json_number(certificate.cone_violation)},
              {"dissipation_residual", json_number(certificate.dissipation_residual)},
              {"polyhedral_error", exact ? Json() : Json(json_number(certificate.polyhedral_error))},
              {"bilateral_residual", json_number(certificate.bilateral_residual)},
              {"bounded_residual", json_number(certificate.bounded_residual)},
              {"natural_map", json_number(certificate.natural_map)},
              {"contact_work", json_number(certificate.contact_work)},
              {"push_out", json_number(certificate.push_out)},
              {"worst_work", json_number(certificate.worst_work)},
              {"worst_block", certificate.worst_block < 0 ? Json() : Json(certificate.worst_block)},
              {"momentum_residual", Json()},
              {"unique", Json()}};
  if (exact) reasons["polyhedral_error"] = "the cone is exact";
  if (certificate.worst_block < 0) reasons["worst_block"] = "no contact gave energy";
  reasons["momentum_residual"] = "a problem file knows contacts, not the masses behind them";
  reasons["unique"] = "told for impact laws with a set of outcomes; a solver gives one";
  if (has_floors(stored)) reasons["floors"] = "impulses are owed, as in a phase of Poisson's law";
  object["reasons"] = std::move(reasons);
  return object;
}

std::string dimensionless(double value) { return value == 0 ? "0" : fmt::format("{:.1e}", value); }

std::string status_text(const StoredSolution& solved) {
  switch (solved.solution.status) {
    case SolveStatus::solved:
      return "solved";
    case SolveStatus::infeasible:
      return solved.dual_checked ? "infeasible: no impulse satisfies the conditions, a dual vector shows it (checked)"
                                 : "not solved; called infeasible by a dual vector that does not stand a check";
    case SolveStatus::secondary_ray:
      return "not solved: Lemke's path ended on a ray; a solution need not exist";
    case SolveStatus::iteration_limit:
      return "not solved within the iterations allowed";
    case SolveStatus::inaccurate:
      break;
  }
  return fmt::format("not solved: residual {:.1e} and no way to a smaller one",
                     judged_residual(solved.certificate, solved.options.cone));
}

std::string problem_text(const StoredProblem& stored) {
  const auto kinds = count_kinds(stored.blocks);
  std::string text = counted(count_contacts(stored.blocks), "contact") + ", " + counted(stored.rows(), "row");
  for (std::size_t kind = 0; kind < 3; ++kind) {
    if (kinds[kind] > 0) text += fmt::format(", {} {}", kinds[kind], kind_names[kind]);
  }
  if (kinds[4] > 0) text += fmt::format(", {} with torsion", kinds[4]);
  text += fmt::format("; A is {}", form_text(stored.form));
  if (stored.form == ContactOperator::Form::sparse)
    text += " (" + counted(stored.sparse.nonZeros(), "entry", "entries") + ")";
  const int rank = operator_rank(stored);
  if (rank >= 0) text += fmt::format(", rank {}", rank);
  if (!stored.is_symmetric()) text += fmt::format(", with a skew part of {:.1e}", skew_part(stored));
  return text;
}

std::string cone_words(const ContactOptions& options) {
  return options.cone == FrictionCone::exact ? "exact cone"
                                             : fmt::format("{} generators", options.polyhedral.directions);
}

}  // namespace

int operator_rank(const StoredProblem& stored) {
  const Eigen::Index k = stored.rows();
  if (k == 0) return 0;
  if (k > most_rows_for_rank || stored.form == ContactOperator::Form::product) return -1;
  Eigen::MatrixXd A(k, k);
  stored.A().copy_to(A);
  const Eigen::LDLT<Eigen::MatrixXd> factors(A);
  const Eigen::VectorXd D = factors.vectorD();
  const double largest = D.cwiseAbs().maxCoeff();
  return static_cast<int>((D.array() > 1e-12 * largest).count());
}

std::string solve_json(const std::string& path, const StoredProblem& stored, const StoredSolution& solved,
                       const std::string& out) {
  const bool exact = solved.options.cone == FrictionCone::exact;
  const auto counts = count_kinds(stored.blocks);
  Json blocks = Json::object();
  for (std::size_t kind = 0; kind < counts.size(); ++kind) blocks[kind_names[kind]] = counts[kind];
  const Json object{{"problem", path},
                    {"title", stored.notes.title},
                    {"contacts", count_contacts(stored.blocks)},
                    {"rows", stored.rows()},
                    {"blocks", std::move(blocks)},
                    {"islands", solved.islands},
                    {"operator", operator_object(stored)},
                    {"cone", exact ? "exact" : "polyhedral"},
                    {"directions", exact ? Json() : Json(solved.options.polyhedral.directions)},
                    {"solver", solver_name(solved.solution.solver)},
                    {"iterations", solved.solution.iterations},
                    {"rounds", solved.rounds},
                    {"seconds", solved.seconds},
                    {"impulse", numbers(solved.impulse)},
                    {"velocity", numbers(solved.velocity)},
                    {"certificate", solve_certificate(stored, solved)},
                    {"dual", solved.dual.size() > 0 ? numbers(solved.dual) : Json()},
                    {"dual_checked", solved.dual.size() > 0 ? Json(solved.dual_checked) : Json()},
                    {"passed_over", stored.notes.passed_over},
                    {"remarks", stored.notes.remarks},
                    {"out", out.empty() ? Json() : Json(out)}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::vector<Verdict> verdicts(const StoredProblem& stored, const StoredSolution& solved) {
  const SolveCertificate& certificate = solved.certificate;
  const bool exact = solved.options.cone == FrictionCone::exact;
  const double limit =
      std::max(1e-8, exact ? solved.options.exact.tolerance : solved.options.polyhedral.lcp.residual_tolerance);
  const auto kinds = count_kinds(stored.blocks);
  std::vector<Verdict> lines;
  const auto add = [&](const char* name, const char* meaning, double value, bool judged = true) {
    lines.push_back({name, meaning, dimensionless(value), judged ? value <= limit : std::isfinite(value), judged});
  };
  if (exact)
    add("natural_map", "distance from Coulomb friction, relative to the largest impulse", certificate.natural_map);
  add("normal_complementarity", "contacts push, never pull, and only where they touch",
      certificate.normal_complementarity);
  add("cone_violation", "friction beyond its limit", certificate.cone_violation);
  add("dissipation_residual",
      exact ? "friction that does not oppose slip"
            : "friction that does not oppose slip, beyond the polyhedral cone's error",
      certificate.dissipation_residual);
  if (kinds[0] > 0) add("bilateral_residual", "velocity left in equations", certificate.bilateral_residual);
  if (kinds[1] > 0)
    add("bounded_residual", "rows of bounded impulse against their condition", certificate.bounded_residual);
  if (!exact) {
    add("polyhedral_error", "friction's deviation from opposing slip, due to the generators",
        certificate.polyhedral_error, false);
    add("natural_map", "distance from exact Coulomb friction, the polyhedral error included", certificate.natural_map,
        false);
  }
  lines.push_back({"contact_work", "what contacts took (-) or gave (+)",
                   fmt::format("{:+.4g} J", certificate.contact_work), std::isfinite(certificate.contact_work), false});
  return lines;
}

std::string solve_text(const std::string& path, const StoredProblem& stored, const StoredSolution& solved,
                       const std::string& out) {
  const ContactSolution& solution = solved.solution;
  const std::string title = stored.notes.title.empty() ? "" : fmt::format(" ({})", stored.notes.title);
  std::string text = fmt::format("{}{}\nproblem     {}\n", path, title, problem_text(stored));
  text +=
      fmt::format("solver      {}, {}: {} in {:.3g} s, {}", solver_name(solution.solver), cone_words(solved.options),
                  counted(solution.iterations, "iteration"), solved.seconds, counted(solved.islands, "island"));
  if (!stored.is_symmetric()) text += ", " + counted(solved.rounds, "round");
  text += fmt::format("\nstatus      {}\n", status_text(solved));
  for (const Verdict& verdict : verdicts(stored, solved)) {
    text += fmt::format("{:<11} {:<24} {:<12} {}\n",
                        !verdict.good    ? "  LOOK HERE"
                        : verdict.judged ? "  ok"
                                         : "",
                        verdict.name, verdict.value, verdict.meaning);
  }
  if (stored.notes.impulse.size() > 0) {
    Eigen::VectorXd posed = stored.u;
    if (!stored.is_symmetric()) posed += stored.skew * stored.notes.impulse;
    const SolveCertificate given =
        certify({stored.A(), posed, stored.blocks}, stored.notes.impulse, generators(solved.options));
    text += fmt::format("in file     a solution of residual {}\n",
                        dimensionless(judged_residual(given, solved.options.cone)));
  }
  for (const std::string& sentence : stored.notes.remarks) text += fmt::format("in file     {}\n", sentence);
  for (const std::string& sentence : stored.notes.passed_over) text += fmt::format("in file     {}\n", sentence);
  if (!out.empty()) text += fmt::format("written     {}\n", out);
  return text;
}

}  // namespace carom
