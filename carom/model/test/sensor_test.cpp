#include "carom/model/sensor.h"

#include <gtest/gtest.h>

#include "carom/error.h"
#include "carom/model/model.h"

namespace carom::sensor_test {
namespace {

Sensor sensor_of(const std::string& name, SensorKind kind, int body = -1, int constraint = -1,
                 const std::vector<int>& colliders = {}) {
  Sensor sensor;
  sensor.name = name;
  sensor.kind = kind;
  sensor.body = body;
  sensor.constraint = constraint;
  sensor.colliders = colliders;
  return sensor;
}

std::string faults_of(const Sensor& sensor) {
  ModelBuilder builder;
  builder.add_body("free", SpatialInertia{1, Vec3::Zero(), Mat3::Identity()});
  const int child = builder.add_body("child", SpatialInertia{1, Vec3::Zero(), Mat3::Identity()});
  Joint joint;
  joint.name = "hinge";
  joint.type = JointType::revolute;
  builder.add_joint(child, joint);
  Constraint motion;
  motion.name = "motion";
  motion.kind = ConstraintKind::motion;
  motion.body_a = child;
  builder.add_constraint(motion);
  builder.add_sensor(sensor);
  try {
    static_cast<void>(builder.build());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Sensor, HasNumbersWithNamesAndUnits) {
  using Columns = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(sensor_columns(sensor_of("chip", SensorKind::imu)), (Columns{{"chip.acceleration.x", "m/s^2"},
                                                                         {"chip.acceleration.y", "m/s^2"},
                                                                         {"chip.acceleration.z", "m/s^2"},
                                                                         {"chip.angular_velocity.x", "rad/s"},
                                                                         {"chip.angular_velocity.y", "rad/s"},
                                                                         {"chip.angular_velocity.z", "rad/s"}}));
  EXPECT_EQ(sensor_columns(sensor_of("foot", SensorKind::contact))[3],
            (std::pair<std::string, std::string>("foot.normal_force", "N")));
  EXPECT_EQ(sensor_kind_name(SensorKind::force_torque), "force_torque");
}

TEST(Sensor, IsWhereThereIsSomethingToRead) {
  EXPECT_EQ(faults_of(sensor_of("s", SensorKind::imu, 0)), "");
  EXPECT_EQ(faults_of(sensor_of("s", SensorKind::force_torque, 1)), "");
  EXPECT_EQ(faults_of(sensor_of("s", SensorKind::imu, 7)), "Sensor \"s\" is on no body; give it one that there is.");
  EXPECT_EQ(faults_of(sensor_of("s", SensorKind::force_torque, 0)),
            "Sensor \"s\" is in the joint of body \"free\", which moves freely: nothing passes a force on.");
  EXPECT_EQ(faults_of(sensor_of("s", SensorKind::force_torque, 1, 0)),
            "Sensor \"s\" is in a motion, which passes on no force between two bodies.");
  EXPECT_EQ(faults_of(sensor_of("s", SensorKind::contact)), "Sensor \"s\" has no colliders; name one at least.");
  EXPECT_EQ(faults_of(sensor_of("s", SensorKind::contact, -1, -1, {4})),
            "Sensor \"s\" is of collider number 4, which there is not.");
}

}  // namespace
}  // namespace carom::sensor_test
