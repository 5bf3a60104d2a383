// A user's choices for a solve, beside the problem's own notes.
#include "carom/problem_files/solve_choices.h"

#include <gtest/gtest.h>

#include "carom/error.h"

namespace carom::solve_choices_test {
namespace {

std::string refusal(const SolveChoices& choices) {
  try {
    static_cast<void>(contact_options(choices, {}));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(SolveChoices, LeftOutAreThoseOfTheProblem) {
  EXPECT_EQ(contact_options({}, {}).cone, FrictionCone::exact);
  ProblemNotes posed;
  posed.directions = 12;
  EXPECT_EQ(contact_options({}, posed).cone, FrictionCone::polyhedral);
  EXPECT_EQ(contact_options({}, posed).polyhedral.directions, 12);
  posed.directions = 0;
  EXPECT_EQ(contact_options({}, posed).cone, FrictionCone::exact);
}

TEST(SolveChoices, GoBeforeThoseOfTheProblem) {
  ProblemNotes posed;
  posed.directions = 12;
  SolveChoices choices;
  choices.cone = "exact";
  choices.method = "newton";
  choices.tolerance = 1e-6;
  const ContactOptions options = contact_options(choices, posed);
  EXPECT_EQ(options.cone, FrictionCone::exact);
  EXPECT_EQ(options.exact.method, SolverKind::newton);
  EXPECT_EQ(options.exact.tolerance, 1e-6);
  SolveChoices polygons;
  polygons.directions = 5;
  polygons.tolerance = 1e-7;
  EXPECT_EQ(contact_options(polygons, {}).polyhedral.directions, 5);
  EXPECT_EQ(contact_options(polygons, {}).polyhedral.lcp.residual_tolerance, 1e-7);
}

TEST(SolveChoices, AMethodThatThereIsNotIsToldWhateverTheCone) {
  for (const char* cone : {"exact", "polyhedral"}) {
    SolveChoices choices;
    choices.cone = cone;
    choices.method = "nwton";
    EXPECT_NE(refusal(choices).find("--method nwton: the exact cone knows"), std::string::npos) << refusal(choices);
  }
}

TEST(SolveChoices, ThatMakeNoSenseAreRefused) {
  SolveChoices choices;
  choices.cone = "round";
  EXPECT_NE(refusal(choices).find("--cone round"), std::string::npos);
  choices = {};
  choices.cone = "exact";
  choices.directions = 8;
  EXPECT_NE(refusal(choices).find("polyhedral"), std::string::npos);
  choices = {};
  choices.directions = 2;
  EXPECT_NE(refusal(choices).find("at least 3"), std::string::npos);
  choices.directions = 8;
  choices.method = "newton";
  EXPECT_NE(refusal(choices).find("--method"), std::string::npos);
  choices = {};
  choices.method = "lemke";
  EXPECT_NE(refusal(choices).find("gauss_seidel"), std::string::npos);
  for (const double tolerance : {0.0, -1.0, 0.01}) {
    choices = {};
    choices.tolerance = tolerance;
    EXPECT_NE(refusal(choices).find("--tolerance"), std::string::npos) << tolerance;
  }
}

}  // namespace
}  // namespace carom::solve_choices_test
