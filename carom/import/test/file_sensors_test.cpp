// Sensors of model files: the same robot in three formats reads the same, and what can't be read is told.
#include "carom/import/file_sensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "carom/import/build.h"
#include "carom/import/gazebo_sensor.h"
#include "carom/import/mjcf.h"
#include "carom/import/sdf_sensors.h"
#include "carom/import/sdformat.h"
#include "carom/import/urdf.h"
#include "carom/import/urdf_sensors.h"

namespace carom::file_sensors_test {
namespace {

constexpr double exact = 1e-12;

// A trunk with a chip welded to it, and an arm on a hinge with a hand welded to that.
const std::string urdf_links = R"(
  <link name="trunk"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="chip"/>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.2"/></geometry></collision></link>
  <link name="hand"><collision><geometry><sphere radius="0.3"/></geometry></collision>
    <collision><geometry><sphere radius="0.4"/></geometry></collision></link>
  <joint name="weld" type="fixed"><parent link="trunk"/><child link="chip"/><origin xyz="0 0 1" rpy="0 0 1.5"/></joint>
  <joint name="elbow" type="continuous"><parent link="trunk"/><child link="arm"/><origin xyz="0 2 0" rpy="0.5 0 0"/>
    <axis xyz="0 1 0"/></joint>
  <joint name="grip" type="fixed"><parent link="arm"/><child link="hand"/><origin xyz="0 0 3" rpy="0 0.25 0"/></joint>
)";

ImportedModel urdf(const std::string& sensors, const std::string& links = urdf_links) {
  return parse_urdf("<robot name=\"r\">" + links + sensors + "</robot>", "r.urdf");
}

std::string gazebo(const std::string& reference, const std::string& sensor) {
  return "<gazebo reference=\"" + reference + "\">" + sensor + "</gazebo>";
}

std::string sensor(const std::string& name, const std::string& type, const std::string& inside = "") {
  return "<sensor name=\"" + name + "\" type=\"" + type + "\">" + inside + "</sensor>";
}

const std::string inertial =
    "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";

std::string ball(const std::string& name, const std::string& radius) {
  return "<collision name='" + name + "'><geometry><sphere><radius>" + radius +
         "</radius></sphere></geometry></collision>";
}

/// The same mechanism, with parts of links and of the joint elbow.
ImportedModel sdf(const std::string& chip, const std::string& hand, const std::string& elbow) {
  return parse_sdformat("<sdf version='1.9'><model name='r'><link name='trunk'>" + inertial + ball("trunk", "0.1") +
                            "</link><link name='chip'><pose relative_to='trunk'>0 0 1 0 0 1.5</pose>" + inertial +
                            chip + "</link><link name='arm'><pose relative_to='elbow'/>" + inertial +
                            ball("arm", "0.2") +
                            "</link><link name='hand'><pose relative_to='arm'>0 0 3 0 0.25 0</pose>" + inertial +
                            ball("hand_1", "0.3") + ball("hand_2", "0.4") + hand +
                            "</link><joint name='weld' type='fixed'><parent>trunk</parent><child>chip</child></joint>"
                            "<joint name='grip' type='fixed'><parent>arm</parent><child>hand</child></joint>"
                            "<joint name='elbow' type='revolute'><pose relative_to='trunk'>0 2 0 0.5 0 0</pose>"
                            "<parent>trunk</parent><child>arm</child><axis><xyz>0 1 0</xyz></axis>" +
                            elbow + "</joint></model></sdf>",
                        "r.sdf");
}

ImportedModel mjcf(const std::string& sensors) {
  return parse_mjcf(R"(<mujoco model="r"><compiler eulerseq="XYZ" angle="radian"/><worldbody>
    <site name="floor_site"/>
    <body name="trunk"><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><geom name="trunk" size="0.1"/>
      <body name="chip" pos="0 0 1" euler="0 0 1.5"><site name="chip_site" pos="0.1 0.2 0.3" euler="0 0 0.7"/></body>
      <body name="arm" pos="0 2 0" euler="0.5 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
        <joint name="elbow" axis="0 1 0"/><geom name="arm" size="0.2"/><site name="arm_site"/>
        <body name="hand" pos="0 0 3" euler="0 0.25 0"><geom name="hand_1" size="0.3"/><geom name="hand_2" size="0.4"/>
          <site name="hand_site" euler="0.3 0 0"/></body></body></body></worldbody><sensor>)" +
                        sensors + "</sensor></mujoco>",
                    "r.xml");
}

const Sensor& named(const ImportedModel& model, const std::string& name) {
  for (const Sensor& each : model.sensors) {
    if (each.name == name) return each;
  }
  throw Error("no sensor is called " + name);
}

/// Radii of the spheres that a contact sensor reads.
std::vector<double> radii(const ImportedModel& model, const Sensor& sensor) {
  std::vector<double> found;
  for (const int number : sensor.colliders) {
    found.push_back(std::get<Sphere>(model.colliders[static_cast<std::size_t>(number)].shape).radius);
  }
  return found;
}

bool tells(const ImportedModel& model, const std::string& words) {
  return std::any_of(model.unused.begin(), model.unused.end(),
                     [&](const ImportNote& note) { return note.text.find(words) != std::string::npos; });
}

bool warns(const ImportedModel& model, const std::string& words) {
  return std::any_of(model.warnings.begin(), model.warnings.end(),
                     [&](const ImportNote& note) { return note.text.find(words) != std::string::npos; });
}

void expect_on(const ImportedModel& model, const Sensor& sensor, const std::string& link, const Transform& X_BS) {
  ASSERT_GE(sensor.body, 0);
  EXPECT_EQ(model.links[static_cast<std::size_t>(sensor.body)].name, link) << sensor.name;
  EXPECT_LE((sensor.X_BS.p - X_BS.p).norm(), exact) << sensor.name;
  EXPECT_LE((sensor.X_BS.R - X_BS.R).norm(), exact) << sensor.name;
}

Mat3 about(const Vec3& axis, double angle) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

const Transform chip_pose{about(Vec3::UnitZ(), 1.5), Vec3(0, 0, 1)};
const Transform on_chip{about(Vec3::UnitZ(), 0.7), Vec3(0.1, 0.2, 0.3)};

TEST(FileSensors, OfThreeFormatsAreTheSame) {
  const std::string pose = "<pose>0.1 0.2 0.3 0 0 0.7</pose>";
  const std::string both = "<contact><collision>hand_1</collision><collision>hand_2</collision></contact>";
  const std::string load = "<force_torque><measure_direction>parent_to_child</measure_direction></force_torque>";
  const ImportedModel models[] = {
      urdf(gazebo("chip", sensor("gyro", "imu", pose)) + gazebo("elbow", sensor("load", "force_torque", load)) +
           gazebo("arm", sensor("skin", "contact",
                                "<contact><collision>arm_fixed_joint_lump__hand_collision_1</collision>"
                                "<collision>arm_fixed_joint_lump__hand_collision_2</collision></contact>"))),
      sdf(sensor("gyro", "imu", pose), sensor("skin", "contact", both), sensor("load", "force_torque", load)),
      mjcf("<gyro name='gyro' site='chip_site'/><force name='load' site='arm_site'/><touch name='skin' "
           "site='hand_site'/>")};
  for (const ImportedModel& model : models) {
    SCOPED_TRACE(model.file);
    ASSERT_EQ(model.sensors.size(), 3u);
    EXPECT_EQ(model.sensors.size(), model.sensor_lines.size());
    const Sensor &gyro = named(model, "gyro"), &force = named(model, "load"), &skin = named(model, "skin");
    EXPECT_EQ(gyro.kind, SensorKind::imu);
    expect_on(model, gyro, "trunk", chip_pose * on_chip);
    EXPECT_EQ(force.kind, SensorKind::force_torque);
    expect_on(model, force, "arm", Transform());
    EXPECT_EQ(skin.kind, SensorKind::contact);
    EXPECT_EQ(radii(model, skin), (std::vector<double>{0.3, 0.4}));
    EXPECT_NO_THROW(static_cast<void>(builder_of(model).build()));
  }
}

/// Gazebo calls what it takes together after the link, or after the collision if that has a name.
TEST(FileSensors, GazebosNamesOfCollisionsAreUnderstood) {
  const std::string named =
      std::string(urdf_links)
          .replace(urdf_links.find("<collision><geometry><sphere radius=\"0.3\""), 11, "<collision name=\"ball\">");
  const auto read = [&](const std::string& links, const std::string& collision) {
    const ImportedModel model = urdf(
        gazebo("arm", sensor("skin", "contact", "<contact><collision>" + collision + "</collision></contact>")), links);
    return model.sensors.empty() ? std::vector<double>() : radii(model, model.sensors.front());
  };
  using Radii = std::vector<double>;
  EXPECT_EQ(read(urdf_links, "hand_1"), Radii{0.3});
  EXPECT_EQ(read(urdf_links, "hand_collision"), Radii{0.3});
  EXPECT_EQ(read(urdf_links, "hand_collision_1"), Radii{0.4});
  EXPECT_EQ(read(urdf_links, "arm_fixed_joint_lump__hand_collision_1"), (Radii{0.3, 0.4})) << "counts the arm's, too";
  EXPECT_EQ(read(named, "ball"), Radii{0.3});
  EXPECT_EQ(read(named, "arm_fixed_joint_lump__ball_collision_1"), Radii{0.3});
  EXPECT_EQ(read(named, "arm_fixed_joint_lump__ball"), Radii{0.3});
  EXPECT_EQ(read(urdf_links, "hand_collision_x"), Radii());
  EXPECT_EQ(read(urdf_links, "elbow_collision"), Radii());
}

TEST(FileSensors, AxesOfALoadAreThoseOfTheChildOrItsOwn) {
  const std::string pose = "<pose>0 0 0.5 0 0.4 0</pose>";
  const auto in_axes = [&](const std::string& frame) {
    return pose + "<force_torque><frame>" + frame + "</frame></force_torque>";
  };
  const auto check = [&](const ImportedModel& child, const ImportedModel& own, const ImportedModel& parent) {
    SCOPED_TRACE(child.file);
    expect_on(child, named(child, "load"), "arm", {Mat3::Identity(), Vec3(0, 0, 0.5)});
    expect_on(own, named(own, "load"), "arm", {about(Vec3::UnitY(), 0.4), Vec3(0, 0, 0.5)});
    EXPECT_TRUE(parent.sensors.empty());
    EXPECT_TRUE(tells(parent, "has the axes of the parent"));
    EXPECT_TRUE(tells(child, "child_to_parent"));
  };
  const auto load = [&](const std::string& frame) { return sensor("load", "force_torque", in_axes(frame)); };
  check(urdf(gazebo("elbow", load("child"))), urdf(gazebo("elbow", load("sensor"))),
        urdf(gazebo("elbow", load("parent"))));
  check(sdf("", "", load("child")), sdf("", "", load("sensor")), sdf("", "", load("parent")));
}

TEST(FileSensors, PoseOfSdformatIsRelativeToFramesOfTheModel) {
  const ImportedModel model = sdf(sensor("a", "imu", "<pose relative_to='arm'>0 0 0.1 0 0 0</pose>"),
                                  sensor("b", "imu", "<pose relative_to='nowhere'/>"), "");
  ASSERT_EQ(model.sensors.size(), 1u);
  expect_on(model, named(model, "a"), "trunk",
            Transform{about(Vec3::UnitX(), 0.5), Vec3(0, 2, 0)} * Transform{Mat3::Identity(), Vec3(0, 0, 0.1)});
  EXPECT_TRUE(tells(model, "relative to \"nowhere\""));
}

TEST(FileSensors, OfNestedModelsHaveTheirModelsInFront) {
  const std::string inner =
      "<model name='inner'><link name='a'>" + inertial + sensor("s", "imu") + "</link><link name='b'>" + inertial +
      "</link><joint name='j' type='revolute'><parent>a</parent><child>b</child>" + "<axis><xyz>0 0 1</xyz></axis>" +
      sensor("load", "force_torque", "<pose relative_to='j'>0 0 1 0 0 0</pose>") +
      sensor("far", "force_torque", "<pose relative_to='a'/>") + "</joint></model>";
  const ImportedModel model = parse_sdformat("<sdf version='1.9'><model name='outer'>" + inner + "<link name='c'>" +
                                                 inertial + sensor("s", "imu") + "</link></model></sdf>",
                                             "nested.sdf");
  ASSERT_EQ(model.sensors.size(), 3u);
  expect_on(model, named(model, "inner::s"), "inner::a", Transform());
  expect_on(model, named(model, "s"), "c", Transform());
  expect_on(model, named(model, "inner::load"), "inner::b", {Mat3::Identity(), Vec3(0, 0, 1)});
  EXPECT_TRUE(tells(model, "relative to \"a\", but only its joint is understood"));
}

TEST(FileSensors, OneThatReadsNothingIsToldAndTheFileGoesOn) {
  const ImportedModel robot =
      urdf(gazebo("elbow", sensor("ok", "force_torque")) + gazebo("weld", sensor("stiff", "force_torque")) +
           gazebo("nobody", sensor("lost", "imu")) + gazebo("arm", sensor("eye", "camera")) +
           gazebo("arm", sensor("bent", "imu", "<pose>1 2 x</pose>")) +
           gazebo("arm", sensor("bare", "contact", "<contact><collision>nothing</collision></contact>")));
  ASSERT_EQ(robot.sensors.size(), 1u);
  EXPECT_TRUE(tells(robot, "<sensor> \"stiff\": link \"chip\" is one body with what it is fixed to"));
  EXPECT_TRUE(tells(robot, "<sensor> \"lost\": link \"nobody\" is no body here"));
  EXPECT_TRUE(tells(robot, "<sensor> \"bare\": no shape that it is about collides"));
  EXPECT_TRUE(warns(robot, "<sensor> \"bare\": there is no <collision> \"nothing\""));
  EXPECT_TRUE(warns(sdf("", sensor("bare", "contact", "<contact><collision>hand_3</collision></contact>"), ""),
                    "there is no <collision> \"hand_3\""));
  EXPECT_EQ(std::count_if(robot.unused.begin(), robot.unused.end(),
                          [](const ImportNote& note) { return note.text == "<gazebo>"; }),
            1)
      << "the camera's";
  EXPECT_TRUE(tells(robot, "<sensor>: "));  // the pose of three words

  const ImportedModel same = mjcf(
      "<gyro site='floor_site'/><force site='hand_site'/><accelerometer site='no_site'/><framepos objtype='site' "
      "objname='arm_site'/><torque site='arm_site' noise='0.1'/>");
  ASSERT_EQ(same.sensors.size(), 1u);
  EXPECT_EQ(same.sensors.front().name, "arm_site_torque");
  EXPECT_TRUE(tells(same, "<gyro> \"floor_site_gyro\": link \"world\" is no body here"));
  EXPECT_TRUE(tells(same, "<force> \"hand_site_force\": link \"hand\" is one body"));
  EXPECT_TRUE(warns(same, "there is no site \"no_site\""));
  EXPECT_TRUE(tells(same, "<framepos>"));
  EXPECT_TRUE(tells(same, "\"noise\""));
}

/// A joint whose child carries the rest hangs the other way round, and then passes on the opposite force.
TEST(FileSensors, InAJointThatIsTurnedRoundIsTold) {
  const std::string joint =
      "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>"
      "</axis>" +
      sensor("load", "force_torque") + "</joint>";
  const std::string other =
      "<joint name='k' type='revolute'><parent>c</parent><child>b</child><axis><xyz>0 1 0</xyz>"
      "</axis></joint>";
  const std::string links = "<link name='a'>" + inertial + "</link><link name='b'>" + inertial +
                            "</link><link name='c'>" + inertial + "</link>";
  const ImportedModel model =
      parse_sdformat("<sdf version='1.9'><model name='m'>" + links + other + joint + "</model></sdf>", "m.sdf");
  EXPECT_TRUE(model.sensors.empty());
  EXPECT_TRUE(tells(model, "does not hang on joint \"j\" here"));
}

TEST(FileSensors, WordsThatNoSensorHasAreTold) {
  const ImportedModel model =
      urdf(gazebo("elbow", sensor("a", "force_torque", "<force_torque><frame>world</frame></force_torque>")) +
           gazebo("elbow", sensor("b", "force_torque",
                                  "<force_torque><measure_direction>up</measure_direction></force_torque>")) +
           gazebo("arm", sensor("c", "imu", "<pose relative_to='trunk'>0 0 0 0 0 0</pose>")) +
           gazebo("arm", sensor("d", "contact", "<contact/>")));
  EXPECT_TRUE(model.sensors.empty());
  EXPECT_TRUE(tells(model, "must be child, parent or sensor, but is \"world\""));
  EXPECT_TRUE(tells(model, "must be child_to_parent or parent_to_child, but is \"up\""));
  EXPECT_TRUE(tells(model, "relative to \"trunk\", which URDF has not"));
  EXPECT_TRUE(tells(model, "names no <collision>"));
  EXPECT_FALSE(tells(model, "it reads the opposite")) << "nothing is read";
}

/// Copies and attached files bring theirs, and a site that has the name of a welded body is not taken for it.
TEST(FileSensors, OfCopiesAndOfBodiesWithTheNameOfASite) {
  const ImportedModel model = parse_mjcf(R"(<mujoco><worldbody>
    <body name="trunk"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <body name="hand" pos="0 0 2"><site name="hand" pos="1 0 0"/></body>
      <replicate count="2" offset="0 3 0"><site name="spot"/></replicate></body></worldbody>
    <sensor><gyro name="rate" site="hand"/><accelerometer name="at" site="spot"/></sensor></mujoco>)",
                                         "copies.xml");
  ASSERT_EQ(model.sensors.size(), 3u);
  expect_on(model, named(model, "rate"), "trunk", {Mat3::Identity(), Vec3(1, 0, 2)});
  expect_on(model, named(model, "at0"), "trunk", {Mat3::Identity(), Vec3(0, 0, 0)});
  expect_on(model, named(model, "at1"), "trunk", {Mat3::Identity(), Vec3(0, 3, 0)});
}

TEST(FileSensors, HaveNamesOfTheirOwn) {
  const ImportedModel model =
      urdf(gazebo("chip", sensor("chip", "imu") + sensor("chip", "imu") + sensor("elbow", "imu")));
  ASSERT_EQ(model.sensors.size(), 3u);
  EXPECT_EQ(model.sensors[0].name, "chip_sensor");
  EXPECT_EQ(model.sensors[1].name, "chip_sensor_sensor");
  EXPECT_EQ(model.sensors[2].name, "elbow_sensor");
}

}  // namespace
}  // namespace carom::file_sensors_test
