#include "carom/dynamics/row_velocity.h"

#include <gtest/gtest.h>

#include "carom/dynamics/frame_jacobian.h"
#include "carom/dynamics/test/moving_tree.h"

namespace carom::row_velocity_test {
namespace {

/// A row pushes along a direction and turns about a moment, so its velocity is what the points and bodies do along
/// them.
TEST(RowVelocity, IsThatOfItsPointsAndTurns) {
  Random random(906);
  for (MovingTree& tree : trees_of_all_joint_types(906)) {
    const Model& model = tree.model;
    if (model.velocity_count() == 0) continue;  // all welded: no coordinates to be coupled
    MatrixX J_a(6, model.velocity_count()), J_b(6, model.velocity_count());
    for (int i = 0; i < model.body_count(); ++i) {
      ConstraintRow row;
      row.body_a = i;
      row.body_b = model.body_count() - 1 - i;
      row.point_a = random.vector(1);
      row.point_b = random.vector(1);
      row.direction = random.vector(1);
      row.moment = random.vector(1);
      frame_jacobian(model, row.body_a, row.point_a, tree.workspace, J_a);
      frame_jacobian(model, row.body_b, row.point_b, tree.workspace, J_b);
      const VectorX relative = (J_a - J_b) * tree.v;  // angular, then linear
      const double expected = row.moment.dot(relative.head<3>()) + row.direction.dot(relative.tail<3>());
      EXPECT_NEAR(row_velocity(row, tree.v, tree.workspace), expected, 1e-12 * (1 + relative.norm()));
      row.body_b = -1;
      const VectorX alone = J_a * tree.v;
      EXPECT_NEAR(row_velocity(row, tree.v, tree.workspace),
                  row.moment.dot(alone.head<3>()) + row.direction.dot(alone.tail<3>()), 1e-12 * (1 + alone.norm()));
    }
    ConstraintRow coupled;
    coupled.coordinate = 0;
    coupled.coefficient = 2;
    const RowTerm others[] = {{model.velocity_count() - 1, -3}, {model.velocity_count() / 2, 5}};
    coupled.others = others;
    coupled.sign = -1;
    EXPECT_DOUBLE_EQ(row_velocity(coupled, tree.v, tree.workspace),
                     -2 * tree.v[0] + 3 * tree.v[model.velocity_count() - 1] - 5 * tree.v[model.velocity_count() / 2]);
  }
}

}  // namespace
}  // namespace carom::row_velocity_test
