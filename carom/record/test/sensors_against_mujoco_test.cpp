// Sensors of an arm that swings freely, here and in MuJoCo.
#ifdef CAROM_WITH_MUJOCO

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "carom/record/test/run_columns.h"
#include "testing/peers/mujoco.h"

namespace carom::sensors_against_mujoco_test {
namespace {

using test::Columns;

const char* const arm = R"(<mujoco model="arm">
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <body name="upper" pos="0 0 2">
      <inertial pos="0 0.02 -0.2" mass="1.5" diaginertia="0.02 0.03 0.01"/>
      <joint name="shoulder" type="hinge" axis="0 1 0.2"/>
      <site name="chip" pos="0.03 -0.02 -0.1" quat="0.8 0.2 -0.4 0.4"/>
      <body name="lower" pos="0 0 -0.5" euler="0 0 20">
        <inertial pos="0.05 0 -0.15" mass="0.7" diaginertia="0.01 0.008 0.004"/>
        <joint name="elbow" type="hinge" axis="1 0.3 0"/>
        <site name="cell" pos="0.01 0.02 -0.03" quat="0.5 0.5 -0.5 0.5"/>
      </body>
    </body>
  </worldbody>
  <sensor>
    <accelerometer name="imu" site="chip"/>
    <gyro name="rate" site="chip"/>
    <force name="load" site="cell"/>
    <torque name="moment" site="cell"/>
  </sensor>
</mujoco>
)";

class SensorsAgainstMujoco : public test::RunTest {
 protected:
  /// Readings of two steps, of half the interval each, less MuJoCo's in their middle; relative to what it says.
  double difference(double interval) {
    std::ofstream(path("arm.xml")) << arm;
    const auto scene = [&](int every) {
      std::ostringstream text;
      text << "carom: 1\nname: arm\ngravity: [0, 0, -9.81]\nmodels: [{file: " << path("arm.xml")
           << ", joints: {shoulder: 0.7, elbow: -0.9}}]\n"
              "sensors:\n  - {name: own_imu, type: imu, frame: chip}\n"
              "  - {name: own_load, type: force_torque, joint: elbow, position: [0.01, 0.02, -0.03],"
              " orientation: [0.5, 0.5, -0.5, 0.5]}\n"
              "method: {stepper: event-driven, law: plastic, step: "
           << 0.5 * interval << "}\nduration: 0.4\nrecord: {every: " << every << "}\n";
      return text.str();
    };
    simulate(scene(1), "steps.h5");
    simulate(scene(2), "pairs.h5");
    const Columns steps(path("steps.h5")), pairs(path("pairs.h5"));
    test::Mujoco theirs(arm);
    double largest = 0;
    for (std::size_t pair = 1; pair < pairs.frames(); ++pair) {
      const std::size_t middle = 2 * pair - 1;
      for (const char* name : {"shoulder", "elbow"}) {
        const int joint = mj_name2id(theirs.m, mjOBJ_JOINT, name);
        theirs.d->qpos[theirs.m->jnt_qposadr[joint]] = steps.at(name, middle);
        theirs.d->qvel[theirs.m->jnt_dofadr[joint]] = steps.at(std::string(name) + ".rate", middle);
      }
      mj_forward(theirs.m, theirs.d);
      const double* read = theirs.d->sensordata;
      const auto compare = [&](const Vec3& ours, int at) {
        const Eigen::Map<const Vec3> their(read + at);
        largest = std::max(largest, (ours - their).norm() / (1 + their.norm()));
      };
      compare(pairs.vector("imu.acceleration", pair), 0);
      compare(steps.vector("rate.angular_velocity", middle), 3);
      compare(pairs.vector("load.force", pair), 6);
      compare(pairs.vector("moment.torque", pair), 9);
      // The scene's sensors at the same places.
      compare(pairs.vector("own_imu.acceleration", pair), 0);
      compare(pairs.vector("own_load.force", pair), 6);
      compare(pairs.vector("own_load.torque", pair), 9);
    }
    return largest;
  }
};

/// Means over an interval differ from what holds in its middle by the square of its length.
TEST_F(SensorsAgainstMujoco, ReadTheSameToTheSecondOrder) {
  const double coarse = difference(0.01), fine = difference(0.005);
  EXPECT_LT(coarse, 1e-2);
  EXPECT_NEAR(coarse / fine, 4, 0.5);
}

}  // namespace
}  // namespace carom::sensors_against_mujoco_test

#endif
