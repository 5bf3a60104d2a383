#include "carom/complementarity/contact_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "carom/error.h"

namespace carom::contact_problem_test {
namespace {

struct Problem {
  Eigen::MatrixXd A = Eigen::MatrixXd::Identity(4, 4);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(4);
  std::vector<Block> blocks = std::vector<Block>(2);
  Problem() {
    blocks[0].kind = BlockKind::cone;
    blocks[0].friction.setConstant(0.5);
    blocks[1].row = 3;
  }
};

TEST(ContactProblem, AcceptsWhatIsWellFormed) {
  const Problem p;
  EXPECT_NO_THROW(check({p.A, p.u, p.blocks}));
}

TEST(ContactProblem, RefusesWhatIsNotWithASentence) {
  struct Case {
    std::function<void(Problem&)> spoil;
    const char* sentence;
  };
  const Case cases[] = {
      {[](Problem& p) { p.A.resize(3, 3); }, "A must be square with as many rows as u"},
      {[](Problem& p) { p.A(2, 1) = 0.1; }, "Entry (2, 1) of A is 0.100000 and its mirror image is 0.000000"},
      {[](Problem& p) { p.A(2, 1) = std::nan(""); }, "Entry (2, 1) of A is not finite"},
      {[](Problem& p) { p.u(1) = INFINITY; }, "Row 1 of u is not a finite number"},
      {[](Problem& p) { p.blocks[1].row = 2; }, "Block 1 of the contact problem holds row 2, which block 0 holds"},
      {[](Problem& p) { p.blocks[1].row = 4; }, "Block 1 of the contact problem has rows 4 to 4"},
      {[](Problem& p) { p.blocks[0].row = -1; }, "Block 0 of the contact problem has rows -1 to 1"},
      {[](Problem& p) { p.blocks.pop_back(); }, "Row 3 of the contact problem belongs to no block"},
      {[](Problem& p) { p.blocks[0].friction.y() = -0.1; }, "both semi-axes must be zero or positive"},
      {[](Problem& p) { p.blocks[1].friction.x() = 0.1; },
       "Block 1 of the contact problem is unilateral and has friction"},
      {[](Problem& p) { p.blocks[0].offset = std::nan(""); },
       "The offset of block 0 of the contact problem is not a finite number"},
      {[](Problem& p) { p.blocks[0].floor = -1; }, "negative floor"},
      {[](Problem& p) { p.blocks[0].restitution = -1; }, "negative restitution"},
      {[](Problem& p) { p.blocks[0].torsion = 0.1; }, "is a cone and has torsion"},
      {[](Problem& p) { p.blocks[0].kind = BlockKind::ellipsoid; }, "holds row 3, which block 0 holds already"},
      {[](Problem& p) {
         p.blocks[1].kind = BlockKind::bounded;
         p.blocks[1].lower = 1;
       },
       "has bounds from 1.000000 to 0.000000"},
  };
  for (const Case& c : cases) {
    Problem p;
    c.spoil(p);
    try {
      check({p.A, p.u, p.blocks});
      FAIL() << "accepted: " << c.sentence;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(c.sentence), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace carom::contact_problem_test
