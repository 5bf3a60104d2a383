#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/cone/cone_solver.h"
#include "carom/complementarity/infeasibility.h"
#include "carom/complementarity/polyhedral/polyhedral.h"
#include "testing/folders.h"
#include "testing/problems/problem_families.h"

// 10 000 problems of 1 to 60 contacts, a thousand of each family, with polyhedral and with exact cones. CAROM_LONG
// takes all; otherwise an even subset of the same problems. Those that no solver solves and that are not shown
// infeasible either are kept in testing/problems/unsolved.txt, where each is a problem to come back to.

namespace carom::random_problems_test {
namespace {

using families::Family;
using families::Mechanics;
using families::Recipe;

constexpr int problems_per_family = 1000;
constexpr double wanted = 1e-8;
constexpr int directions = 8;

/// Odd, and no divisor of 60, so that all sizes come up.
int stride() { return std::getenv("CAROM_LONG") != nullptr ? 1 : 53; }

Recipe recipe_of(Family family, int index) {
  Recipe recipe;
  recipe.family = family;
  recipe.contacts = 1 + index % 60;
  recipe.seed = static_cast<std::uint64_t>(index);
  recipe.mass_ratio = std::pow(10.0, 1 + index % 6);  // to 10⁶
  return recipe;
}

enum class Cone { polyhedral, exact };

struct Judgement {
  SolveStatus status = SolveStatus::solved;
  double residual = 0;  ///< by the certificate
};

double residual_of(const SolveCertificate& c, Cone cone) {
  const double rows = std::max(c.bilateral_residual, c.bounded_residual);
  if (cone == Cone::exact) return std::max(rows, c.natural_map);
  return std::max({rows, c.normal_complementarity, c.cone_violation, c.dissipation_residual});
}

class Solvers {
 public:
  Judgement solve(const Mechanics& m, Cone cone) {
    Eigen::VectorXd impulse(m.u.size()), velocity(m.u.size());
    Judgement judgement;
    const bool exact = cone == Cone::exact;
    judgement.status = exact ? exact_.solve(m.problem(), {}, {}, impulse, velocity).status
                             : polyhedral_.solve(m.problem(), {directions, {}}, {}, impulse, velocity).status;
    judgement.residual = residual_of(certify(m.problem(), impulse, exact ? 0 : directions), cone);
    return judgement;
  }

 private:
  PolyhedralSolver polyhedral_;
  ConeSolver exact_;
};

const char* name_of(Cone cone) { return cone == Cone::exact ? "exact" : "polyhedral"; }

/// Numbers of the problems of a family that are known to stay unsolved.
std::set<int> listed(Family family, Cone cone) {
  std::ifstream file(source_folder() + "/testing/problems/unsolved.txt");
  EXPECT_TRUE(file) << "testing/problems/unsolved.txt is missing";
  const std::string wanted_line = name(family) + ", " + name_of(cone) + ":";
  std::set<int> numbers;
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, wanted_line.size(), wanted_line) != 0) continue;
    std::istringstream rest(line.substr(wanted_line.size()));
    for (int number = 0; rest >> number;) numbers.insert(number);
  }
  return numbers;
}

struct Case {
  Family family;
  Cone cone;
  int allowed;  ///< problems of a thousand that may be listed as unsolved
};

std::string name_of(const Case& c) {
  std::string text = name(c.family) + "_" + name_of(c.cone);
  std::replace_if(
      text.begin(), text.end(), [](char letter) { return letter == ' ' || letter == '-'; }, '_');
  return text;
}

void PrintTo(const Case& c, std::ostream* out) { *out << name_of(c); }

class RandomProblems : public testing::TestWithParam<Case> {};

/// Problems called solved are; those called infeasible have a proof; the others are in the list.
TEST_P(RandomProblems, AreSolvedOrShownInfeasibleOrListed) {
  const Case c = GetParam();
  const std::set<int> known = listed(c.family, c.cone);
  EXPECT_LE(known.size(), static_cast<std::size_t>(c.allowed));
  const bool solvable =
      std::find(std::begin(families::solvable), std::end(families::solvable), c.family) != std::end(families::solvable);
  Solvers solvers;
  int answered = 0;
  for (int number = 0; number < problems_per_family; number += stride()) {
    const Recipe recipe = recipe_of(c.family, number);
    SCOPED_TRACE(describe(recipe));
    const Mechanics mechanics = make(recipe);
    const Judgement judgement = solvers.solve(mechanics, c.cone);
    if (judgement.status == SolveStatus::solved) {
      EXPECT_LE(judgement.residual, wanted);
    }
    // Impulses of a problem without a solution may grow until the residual, which is relative to them, is small.
    const bool solved = judgement.status == SolveStatus::solved || (solvable && judgement.residual <= wanted);
    Eigen::VectorXd y(mechanics.u.size());
    const bool infeasible = !solved && find_infeasibility(mechanics.problem(), y);
    if (infeasible) {
      EXPECT_FALSE(solvable);
      EXPECT_TRUE(proves_infeasible(mechanics.problem(), y));
    } else {
      EXPECT_NE(judgement.status, SolveStatus::infeasible);
    }
    if (solved || infeasible) {
      ++answered;
    } else {
      EXPECT_TRUE(known.count(number) > 0) << "not solved, nor in the list: number " << number;
    }
  }
  EXPECT_GT(answered, 0);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Cone cone : {Cone::polyhedral, Cone::exact}) {
    for (const Family family : {Family::full_rank, Family::redundant, Family::stack, Family::zero_friction}) {
      cases.push_back({family, cone, 0});
    }
    cases.push_back({Family::mass_ratio, cone, 1});
    cases.push_back({Family::near_degenerate, cone, 1});
    cases.push_back({Family::mechanism, cone, 10});
    cases.push_back({Family::wedged, cone, 200});  // of these two most have no solution
    cases.push_back({Family::jammed, cone, 380});
  }
  cases.push_back({Family::torsion, Cone::exact, 20});  // an ellipsoid has no generators
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Families, RandomProblems, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return name_of(one.param); });

}  // namespace
}  // namespace carom::random_problems_test
