#include "carom/record/linear_summary.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/counted.h"
#include "carom/record/certificate_json.h"

namespace carom {
namespace {

constexpr Eigen::Index most_rows_for_linear_rank = 1500;

struct LinearLine {
  const char* name;
  const char* meaning;
  double LinearCertificate::*value;
};
constexpr std::array<LinearLine, 5> linear_lines = {
    {{"equations", "what is left of the equations", &LinearCertificate::equations},
     {"negative_z", "unknowns of pairs below zero, relative to the largest", &LinearCertificate::negative_z},
     {"negative_w", "w = M z + q below zero, relative to the data", &LinearCertificate::negative_w},
     {"complementarity", "the smaller of z and w of a pair", &LinearCertificate::complementarity},
     {"round_off", "how far w is known", &LinearCertificate::round_off}}};

bool has_equations(const LinearProblem& problem) { return problem.pairs() < problem.size(); }

/// −1 above most_rows_for_linear_rank.
int matrix_rank(const LinearProblem& problem) {
  if (problem.size() > most_rows_for_linear_rank) return -1;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(problem.M);
  factors.setThreshold(1e-12);
  return static_cast<int>(factors.rank());
}

nlohmann::ordered_json entries_of(const Eigen::VectorXd& vector, const std::vector<int>& places) {
  auto list = nlohmann::ordered_json::array();
  for (const int place : places) list.push_back(json_number(vector(place)));
  return list;
}

std::string linear_status(const LinearSolution& solved) {
  switch (solved.status) {
    case SolveStatus::solved:
      return "solved";
    case SolveStatus::infeasible:
      return solved.dual.size() > 0 ? "infeasible: no z >= 0 makes M z + q >= 0, a dual vector shows it (checked)"
                                    : "no solution: " + counted(solved.cases, "case") +
                                          ", by which of a pair is zero, are refuted, each by a dual vector (checked)";
    default:
      break;
  }
  const std::string tried =
      solved.cases > 0 ? "; " + counted(solved.cases, "case") + " looked at, which does not decide it" : "";
  return fmt::format("not solved: residual {:.1e}{}", solved.certificate.residual, tried);
}

}  // namespace

std::string linear_json(const std::string& path, const LinearProblem& problem, const LinearSolution& solved,
                        double tolerance) {
  using Json = nlohmann::ordered_json;
  const int rank = matrix_rank(problem);
  Json certificate{{"status", status_name(solved.status)}, {"residual", json_number(solved.certificate.residual)}};
  for (const LinearLine& line : linear_lines) certificate[line.name] = json_number(solved.certificate.*line.value);
  if (!has_equations(problem)) certificate["equations"] = Json();
  certificate["tolerance"] = tolerance;
  const Json object{{"problem", path},
                    {"kind", has_equations(problem) ? "mlcp" : "lcp"},
                    {"unknowns", problem.unknown.size()},
                    {"rows", problem.row.size()},
                    {"pairs", problem.pairs()},
                    {"rank", rank < 0 ? Json() : Json(rank)},
                    {"solver", solved.method},
                    {"iterations", solved.iterations},
                    {"cases", solved.cases},
                    {"seconds", solved.seconds},
                    {"z", entries_of(solved.z, problem.unknown)},
                    {"w", entries_of(solved.w, problem.row)},
                    {"certificate", std::move(certificate)},
                    {"dual", solved.dual.size() > 0 ? entries_of(solved.dual, problem.row) : Json()},
                    {"remarks", problem.remarks}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string linear_text(const std::string& path, const LinearProblem& problem, const LinearSolution& solved,
                        double tolerance) {
  const int rank = matrix_rank(problem);
  std::string text = fmt::format("{}\nproblem     {}, {}", path,
                                 has_equations(problem) ? "mixed linear complementarity" : "linear complementarity",
                                 counted(problem.pairs(), "pair"));
  if (has_equations(problem)) {
    const auto rows = std::ssize(problem.row), unknowns = std::ssize(problem.unknown);
    text += ", " + counted(rows - problem.pairs(), "equation");
    if (rows != unknowns) text += ", " + counted(unknowns - problem.pairs(), "free unknown");
  }
  if (rank >= 0) text += fmt::format("; M has rank {}", rank);
  text += fmt::format("\nsolver      {}: {} in {:.3g} s\nstatus      {}\n", solved.method,
                      counted(solved.iterations, "iteration"), solved.seconds, linear_status(solved));
  for (const LinearLine& line : linear_lines) {
    if (line.value == &LinearCertificate::equations && !has_equations(problem)) continue;
    const double value = solved.certificate.*line.value;
    const bool judged = solved.status != SolveStatus::infeasible;
    text += fmt::format("{:<11} {:<24} {:<12} {}\n",
                        !judged              ? ""
                        : value <= tolerance ? "  ok"
                                             : "  LOOK HERE",
                        line.name, value == 0 ? "0" : fmt::format("{:.1e}", value), line.meaning);
  }
  for (const std::string& remark : problem.remarks) text += fmt::format("in file     {}\n", remark);
  return text;
}

}  // namespace carom
