// A file of SDFormat and its extract: which element a line stands for, how values are read, in what order faults come.
#include "carom/import/sdf_source.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <numbers>
#include <sstream>

#include "carom/spatial/rotation.h"

namespace carom::sdf_source_test {
namespace {

namespace fs = std::filesystem;

const std::string inertial = "<inertial><mass>1</mass></inertial>";

/// An element whose parts are read, alone in its file.
struct Lone {
  explicit Lone(const std::string& text) : file("lone.sdf", parse_xml(text, "lone.sdf")) {}
  SdfPlace place() { return {&file, &file.root}; }
  SdfFile file;
};

TEST(SdfPlaces, AFlagIsOneOfFourWords) {
  for (const auto& [word, flag] :
       {std::pair("true", true), std::pair("1", true), std::pair("false", false), std::pair("0", false)}) {
    Lone lone("<link><gravity>" + std::string(word) + "</gravity></link>");
    EXPECT_EQ(read_flag(lone.place(), "gravity", !flag), flag);
    EXPECT_TRUE(lone.file.faults.empty());
  }
  Lone silent("<link/>"), other("<link>\n<gravity>yes</gravity></link>");
  EXPECT_TRUE(read_flag(silent.place(), "gravity", true));
  EXPECT_FALSE(read_flag(silent.place(), "gravity", false));
  EXPECT_TRUE(read_flag(other.place(), "gravity", true));
  ASSERT_EQ(other.file.faults.faults().size(), 1u);
  EXPECT_EQ(other.file.faults.faults()[0].line, 2);
}

TEST(SdfPlaces, NumbersAreFiniteAndAsManyAsAsked) {
  Lone lone("<link>\n<mass>2.5</mass>\n<size>1 2 3</size>\n<radius>inf</radius></link>");
  EXPECT_EQ(read_number(lone.place(), "mass"), 2.5);
  EXPECT_EQ(*read_numbers(lone.place(), "size", 3), VectorX(Vec3(1, 2, 3)));
  EXPECT_FALSE(read_number(lone.place(), "length"));
  EXPECT_TRUE(lone.file.faults.empty());
  EXPECT_FALSE(read_numbers(lone.place(), "size", 2));
  EXPECT_FALSE(read_number(lone.place(), "radius"));
  EXPECT_EQ(lone.file.faults.faults().size(), 2u);
}

TEST(SdfPlaces, PeekingCountsNothingAsReadAndASecondChildIsAFault) {
  Lone lone("<link><mass>1</mass>\n<mass>2</mass></link>");
  EXPECT_FALSE(peek(lone.place(), "mass").node->was_read());
  EXPECT_TRUE(lone.file.faults.empty());
  EXPECT_TRUE(first(lone.place(), "mass").node->was_read());
  ASSERT_EQ(lone.file.faults.faults().size(), 1u);
  EXPECT_EQ(lone.file.faults.faults()[0].line, 2);
  EXPECT_EQ(first(peek(lone.place(), "pose"), "anything").node, nullptr) << "of nothing there is nothing";
}

TEST(SdfPlaces, APoseIsTheSameInRadiansDegreesAndAsAQuaternion) {
  const Vec3 angles(0.3, -0.7, 2.1), p(1, 2, 3);
  const Mat3 R = exponential(Vec3(0, 0, angles.z())).toRotationMatrix() *
                 exponential(Vec3(0, angles.y(), 0)).toRotationMatrix() *
                 exponential(Vec3(angles.x(), 0, 0)).toRotationMatrix();
  const Quaternion q(R);
  std::ostringstream radians, degrees, quaternion;
  for (std::ostringstream* text : {&radians, &degrees, &quaternion}) text->precision(17);
  const Vec3 in_degrees = angles * 180 / std::numbers::pi;
  radians << "<l><pose>1 2 3 " << angles.transpose() << "</pose></l>";
  degrees << "<l><pose degrees='true'>1 2 3 " << in_degrees.transpose() << "</pose></l>";
  quaternion << "<l><pose rotation_format='quat_xyzw'>1 2 3 " << 2 * q.x() << ' ' << 2 * q.y() << ' ' << 2 * q.z()
             << ' ' << 2 * q.w() << "</pose></l>";
  for (const std::ostringstream* text : {&radians, &degrees, &quaternion}) {
    Lone lone(text->str());
    const Transform X = read_pose(lone.place());
    EXPECT_TRUE(lone.file.faults.empty());
    EXPECT_LE((X.R - R).norm() + (X.p - p).norm(), 1e-14) << text->str();
  }
}

class SdfSources : public testing::Test {
 protected:
  SdfSources() : folder_(fs::path(testing::TempDir()) / ("carom_sdf_source_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~SdfSources() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  fs::path folder_;
};

TEST_F(SdfSources, ALineOfAnExtractStandsForTheElementThatIsOnIt) {
  const std::string part = write(
      "part.sdf", "<sdf version='1.7'>\n<model name='part'>\n<link name='inner'>" + inertial + "</link></model></sdf>");
  const std::string whole =
      write("whole.sdf", "<sdf version='1.7'><model name='m'>\n<link name='a'>\n<pose>1 0 0 0 0 0</pose>" + inertial +
                             "<visual name='v'/></link>\n<include><uri>part.sdf</uri></include></model></sdf>");
  fs::path stored;
  {
    SdfSource source;
    source.read(read_xml(whole), whole, {});
    source.raise();
    ASSERT_EQ(source.files.size(), 2u);
    for (SdfFile& file : source.files) {
      std::istringstream extract(file.extract);
      int number = 0;
      for (std::string line; std::getline(extract, line); ++number) {
        const SdfPlace place = source.place(file.extract_path, number + 1);
        EXPECT_EQ(place.file, &file);
        EXPECT_TRUE(line.starts_with("<" + place.node->name)) << line << " is told at <" << place.node->name << '>';
      }
      EXPECT_EQ(number, static_cast<int>(file.by_line.size()));
    }
    EXPECT_EQ(source.files.front().extract.find("visual"), std::string::npos) << "structure and frames alone";
    stored = source.files.back().extract_path;
    EXPECT_TRUE(fs::exists(stored));
  }
  EXPECT_FALSE(fs::exists(stored)) << "what is stored goes with the source";
}

TEST_F(SdfSources, FaultsOfTheFileComeBeforeThoseOfWhatItIncludesAndOnce) {
  SdfSource source;
  source.files.emplace_back("z.sdf", parse_xml("<sdf/>", "z.sdf"));
  source.files.emplace_back("a.sdf", parse_xml("<sdf/>", "a.sdf"));
  source.files.emplace_back("a.sdf", parse_xml("<sdf/>", "a.sdf"));
  for (SdfFile& file : source.files) {
    file.faults.add(7, "late");
    file.faults.add(2, "early");
  }
  try {
    source.raise();
    FAIL() << "nothing thrown";
  } catch (const ImportError& error) {
    EXPECT_STREQ(error.what(), "z.sdf:2: early\nz.sdf:7: late\na.sdf:2: early\na.sdf:7: late");
  }
}

TEST_F(SdfSources, AFileThatIsIncludedTwiceListsItsUnusedOnce) {
  write("part.sdf", "<sdf version='1.7'>\n<model name='part'><link name='b'>" + inertial +
                        "<visual name='v'/></link></model></sdf>");
  const std::string whole =
      write("whole.sdf", "<sdf version='1.7'><model name='m'>\n<link name='a'>" + inertial +
                             "</link><include><uri>part.sdf</uri><name>x</name></include>"
                             "<include><uri>part.sdf</uri><name>y</name></include></model></sdf>");
  SdfSource source;
  source.read(read_xml(whole), whole, {});
  EXPECT_EQ(source.files.size(), 3u) << "once for each <include>";
  std::vector<ImportNote> unused;
  source.list_unused(unused);
  EXPECT_EQ(std::count_if(unused.begin(), unused.end(), [](const ImportNote& n) { return n.text == "<visual>"; }), 1);
}

}  // namespace
}  // namespace carom::sdf_source_test
