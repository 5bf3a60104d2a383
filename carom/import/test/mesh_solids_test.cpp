// Convex parts in the place of meshes that are not convex: the solid they cover, colliders and sensors that follow, the
// folder that keeps them, and what is told.

#include "carom/import/mesh_solids.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "carom/import/parts_folder.h"
#include "carom/import/sdformat.h"
#include "carom/import/urdf.h"

namespace carom::mesh_solids_test {
namespace {

namespace fs = std::filesystem;

/// A folder for a mesh and for its parts, as long as it lives.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("carom_mesh_solids_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string parts() const { return (path / "parts").string(); }
  std::size_t kept() const {
    std::size_t count = 0;
    if (!fs::exists(parts())) return 0;
    for (const auto& entry : fs::directory_iterator(parts())) count += entry.is_regular_file() ? 1 : 0;
    return count;
  }
};

/// An L of two bars 2 by 0.5, 1 thick: volume 1.75, hull 2.875. Open: without its last triangle.
void write_angle(const fs::path& path, bool open = false) {
  std::ofstream file(path);
  for (const char* z : {"0", "1"}) {
    for (const char* xy : {"0 0", "2 0", "2 0.5", "0.5 0.5", "0.5 2", "0 2"}) file << "v " << xy << ' ' << z << '\n';
  }
  file << "f 1 3 2\nf 1 4 3\nf 1 5 4\nf 1 6 5\nf 7 8 9\nf 7 9 10\nf 7 10 11\nf 7 11 12\n";
  for (int i = 1; i <= 6; ++i) {
    const int j = i % 6 + 1;
    file << "f " << i << ' ' << j << ' ' << j + 6 << '\n';
    if (!open || i < 6) file << "f " << i << ' ' << j + 6 << ' ' << i + 6 << '\n';
  }
}

ImportOptions with_parts(const Folder& folder) {
  ImportOptions options;
  options.meshes = MeshUse::parts;
  options.parts_folder = folder.parts();
  return options;
}

std::string urdf(const std::string& scale) {
  return "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" "
         "izz=\"1\"/></inertial>"
         "<collision name=\"angle\"><origin xyz=\"1 2 3\"/><geometry><mesh filename=\"angle.obj\" scale=\"" +
         scale + "\"/></geometry></collision></link></robot>";
}

double volume_of(const ImportedModel& model) {
  double sum = 0;
  for (const Collider& collider : model.colliders) {
    sum += std::get<ConvexMesh>(collider.shape).polyhedron->inertia(1).mass;
  }
  return sum;
}

std::string warnings_of(const ImportedModel& model) {
  std::string all;
  for (const ImportNote& warning : model.warnings) all += warning.text + "\n";
  return all;
}

TEST(MeshSolids, PartsCoverTheMeshAndTheHullIsToldToBeLarger) {
  const Folder folder;
  write_angle(folder.path / "angle.obj");
  const std::string file = (folder.path / "r.urdf").string();
  for (const std::string scale : {"1 1 1", "2 -1 3"}) {
    const double factor = scale == "1 1 1" ? 1 : 6;
    const ImportedModel hull = parse_urdf(urdf(scale), file, {});
    ASSERT_EQ(hull.colliders.size(), 1u);
    EXPECT_NEAR(volume_of(hull), 2.875 * factor, 1e-6 * factor);
    EXPECT_NE(warnings_of(hull).find("64 % larger"), std::string::npos) << warnings_of(hull);
    const ImportedModel parts = parse_urdf(urdf(scale), file, with_parts(folder));
    ASSERT_EQ(parts.colliders.size(), 2u);
    EXPECT_NEAR(volume_of(parts), 1.75 * factor, 1e-6 * factor);
    EXPECT_NE(warnings_of(parts).find("2 convex parts"), std::string::npos) << warnings_of(parts);
    EXPECT_EQ(parts.collider_lines.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(parts.colliders[i].name, "angle part " + std::to_string(i + 1));
      EXPECT_EQ(parts.colliders[i].X_BS.p, hull.colliders[0].X_BS.p);
    }
  }
}

TEST(MeshSolids, AFileIsReadOnceForAllScales) {
  const Folder folder;
  for (const ImportOptions& options : {ImportOptions{}, with_parts(folder)}) {
    write_angle(folder.path / "angle.obj");
    const std::string file = (folder.path / "angle.obj").string();
    MeshSolids solids(options);
    const auto first = solids.hull(file, {}, Vec3::Ones());
    fs::remove(file);
    EXPECT_EQ(solids.hull(file, {}, Vec3::Ones()), first);
    EXPECT_NEAR(solids.hull(file, {}, Vec3(2, -1, 3))->inertia(1).mass, 6 * 2.875, 1e-6);
  }
}

TEST(MeshSolids, PartsAreMadeOnceAndDamagedOnesAgain) {
  const Folder folder;
  write_angle(folder.path / "angle.obj");
  const std::string file = (folder.path / "r.urdf").string();
  const auto read = [&] { return volume_of(parse_urdf(urdf("1 1 1"), file, with_parts(folder))); };
  const double first = read();
  EXPECT_EQ(folder.kept(), 1u);
  EXPECT_EQ(read(), first) << "to the bit from the folder";
  EXPECT_EQ(folder.kept(), 1u);
  const fs::path kept = fs::directory_iterator(folder.parts())->path();
  for (const std::uintmax_t size : {std::uintmax_t{0}, fs::file_size(kept) / 2}) {
    fs::resize_file(kept, size);
    EXPECT_EQ(read(), first);
  }
  std::ofstream(kept) << "carom convex parts 1\n0 1\n4\n0 0 0 1 0 0 nan 1 0 0 0 1\n";
  EXPECT_EQ(read(), first);
  // Another mesh of the same name has parts of its own.
  std::ofstream(folder.path / "angle.obj", std::ios::app) << "v 9 9 9\nv 10 9 9\nv 9 10 9\nv 9 9 10\n"
                                                          << "f 13 15 14\nf 13 14 16\nf 14 15 16\nf 13 16 15\n";
  EXPECT_NEAR(read(), 1.75 + 1.0 / 6, 1e-6);
  EXPECT_EQ(folder.kept(), 2u);
}

TEST(MeshSolids, AFolderThatCannotBeWrittenCostsNothingButTime) {
  const Folder folder;
  write_angle(folder.path / "angle.obj");
  ImportOptions options = with_parts(folder);
  options.parts_folder = (folder.path / "angle.obj" / "below a file").string();
  EXPECT_EQ(parse_urdf(urdf("1 1 1"), (folder.path / "r.urdf").string(), options).colliders.size(), 2u);
}

TEST(MeshSolids, AnOpenMeshKeepsItsHullAndSaysSo) {
  const Folder folder;
  write_angle(folder.path / "angle.obj", true);
  const std::string file = (folder.path / "r.urdf").string();
  const ImportedModel parts = parse_urdf(urdf("1 1 1"), file, with_parts(folder));
  EXPECT_EQ(parts.colliders.size(), 1u);
  EXPECT_NE(warnings_of(parts).find("not closed"), std::string::npos);
  EXPECT_EQ(warnings_of(parse_urdf(urdf("1 1 1"), file, {})), "");
}

/// A cube of the half width, from vertex `first` on; `inwards` for a cavity.
void write_cube(std::ofstream& file, double half, int first, bool inwards) {
  for (int i = 0; i < 8; ++i) {
    file << "v " << (i & 1 ? half : -half) << ' ' << (i & 2 ? half : -half) << ' ' << (i & 4 ? half : -half) << '\n';
  }
  constexpr int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& face : faces) {
    for (const int k : {1, 2}) {
      const int a = face[inwards ? k + 1 : k], b = face[inwards ? k : k + 1];
      file << "f " << first + face[0] << ' ' << first + a << ' ' << first + b << '\n';
    }
  }
}

TEST(MeshSolids, ACavityStaysOpenAndASheetIsNoSolid) {
  const Folder folder;
  {
    std::ofstream file(folder.path / "angle.obj");
    write_cube(file, 1, 1, false);
    write_cube(file, 0.5, 9, true);
    file << "v 3 0 0\nv 4 0 0\nv 3 1 0\nf 17 18 19\nf 17 19 18\n";  // both sides of a triangle
  }
  const ImportedModel parts = parse_urdf(urdf("1 1 1"), (folder.path / "r.urdf").string(), with_parts(folder));
  EXPECT_GT(parts.colliders.size(), 1u);
  EXPECT_NEAR(volume_of(parts), 7, 0.02 * 7);
  for (const Collider& collider : parts.colliders) {
    const Polyhedron& part = *std::get<ConvexMesh>(collider.shape).polyhedron;
    const bool in_cavity =
        std::ranges::all_of(part.faces, [](const Polyhedron::Face& face) { return -face.offset < -1e-6; });
    EXPECT_FALSE(in_cavity) << "the middle of the cavity is free";
  }
}

TEST(MeshSolids, SensorsOfAnSdfCollisionFeelAllItsParts) {
  const Folder folder;
  write_angle(folder.path / "angle.obj");
  const std::string text =
      "<sdf version=\"1.9\"><model name=\"m\"><link name=\"a\"><inertial><mass>1</mass></inertial><collision "
      "name=\"ball\"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision><collision "
      "name=\"angle\"><geometry>"
      "<mesh><uri>angle.obj</uri></mesh></geometry></collision><sensor name=\"touch\" "
      "type=\"contact\"><contact><collision>"
      "angle</collision></contact></sensor></link></model></sdf>";
  const ImportedModel model = parse_sdformat(text, (folder.path / "m.sdf").string(), with_parts(folder));
  ASSERT_EQ(model.colliders.size(), 3u);
  ASSERT_EQ(model.sensors.size(), 1u);
  EXPECT_EQ(model.sensors[0].colliders, (std::vector<int>{1, 2}));
}

TEST(PartsFolder, GivesBackWhatItWasGivenToTheBit) {
  const Folder folder;
  const PartsFolder parts(folder.parts());
  const StoredParts given{{{Vec3(0.1, 1.0 / 3, -2e-300), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1e17)}},
                          0.0123456789};
  EXPECT_FALSE(parts.read("x.parts"));
  parts.write("x.parts", given);
  const auto read = parts.read("x.parts");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->excess, given.excess);
  EXPECT_EQ(read->parts, given.parts);
}

}  // namespace
}  // namespace carom::mesh_solids_test
