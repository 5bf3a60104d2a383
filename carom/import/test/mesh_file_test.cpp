#include "carom/import/mesh_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace carom::mesh_file_test {
namespace {

namespace fs = std::filesystem;

/// A folder for one test, gone after it.
class MeshFile : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / ("carom_" + std::string(test->name()) + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// Error's sentence on reading the mesh; empty if it can be read.
  static std::string fault(const std::string& path) {
    return fault_of([&] { static_cast<void>(mesh_vertices(path)); });
  }
  /// The same on reading its surface.
  static std::string surface_fault(const std::string& path) {
    return fault_of([&] { static_cast<void>(mesh_parts(path)); });
  }
  /// The tetrahedron as glTF, with its bytes beside it.
  std::string write_gltf(const std::string& name, const std::string& material = "{}") const;
  fs::path folder_;

 private:
  template <class Read>
  static std::string fault_of(const Read& read) {
    try {
      read();
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
};

const std::string tetrahedron = "v 0 0 0\nv 0.5 0 0\nv 0 0.25 0\nv 0 0 -2\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n";

/// The points without repetition, in order.
std::vector<Vec3> distinct(std::vector<Vec3> points) {
  const auto before = [](const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
  };
  std::sort(points.begin(), points.end(), before);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

const std::vector<Vec3> corners{{0, 0, -2}, {0, 0, 0}, {0, 0.25, 0}, {0.5, 0, 0}};

std::string word(std::uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

/// Single precision by hand: sign, exponent and the upper 23 bits of the fraction.
std::string single(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  if (x == 0) return word(0);
  const auto exponent = static_cast<std::uint32_t>((bits >> 52 & 0x7ff) - 1023 + 127);
  return word(static_cast<std::uint32_t>(bits >> 63) << 31 | exponent << 23 |
              static_cast<std::uint32_t>(bits >> 29 & 0x7fffff));
}

std::string binary_stl(const std::vector<std::array<Vec3, 3>>& triangles) {
  std::string bytes(80, ' ');
  bytes += word(static_cast<std::uint32_t>(triangles.size()));
  for (const auto& triangle : triangles) {
    bytes += std::string(12, '\0');  // the normal
    for (const Vec3& corner : triangle) {
      for (const double x : corner) bytes += single(x);
    }
    bytes += std::string(2, '\0');
  }
  return bytes;
}

TEST_F(MeshFile, ObjGivesItsVertices) { EXPECT_EQ(distinct(mesh_vertices(write("a.obj", tetrahedron))), corners); }

const std::string ply =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty double y\nproperty double z\n"
    "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n0.5 0 0\n0 0.25 0\n0 0 -2\n3 0 1 2\n3 0 1 3\n3 0 2 3\n";

TEST_F(MeshFile, PlyGivesItsVertices) {
  EXPECT_EQ(distinct(mesh_vertices(write("a.ply", ply + "3 1 2 3\n"))), corners);
}

/// The tetrahedron in a unit of so many metres, whose file says that `up` points up.
std::string collada(const std::string& numbers, const std::string& meter, const std::string& up) {
  return "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
         "version=\"1.4.1\"><asset>"
         "<unit name=\"u\" meter=\"" +
         meter + "\"/><up_axis>" + up +
         "</up_axis></asset><library_geometries>"
         "<geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"f\" count=\"12\">" +
         numbers +
         "</float_array><technique_common><accessor source=\"#f\" count=\"4\" stride=\"3\"><param name=\"X\" "
         "type=\"double\"/><param name=\"Y\" type=\"double\"/><param name=\"Z\" type=\"double\"/></accessor>"
         "</technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
         "<triangles count=\"4\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2 0 1 3 0 2 3 1 2 3</p>"
         "</triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\"><node "
         "id=\"n\">"
         "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene "
         "url=\"#s\"/></scene></COLLADA>";
}

TEST_F(MeshFile, ColladaIsInMetresAndStaysAsItLies) {
  for (const std::string up : {"X_UP", "Y_UP", "Z_UP"}) {
    EXPECT_EQ(distinct(mesh_vertices(write("m.dae", collada("0 0 0 0.5 0 0 0 0.25 0 0 0 -2", "1", up)))), corners)
        << up;
    EXPECT_EQ(distinct(mesh_vertices(write("q.dae", collada("0 0 0 2 0 0 0 1 0 0 0 -8", "0.25", up)))), corners) << up;
  }
}

std::string MeshFile::write_gltf(const std::string& name, const std::string& material) const {
  // (x, y, z) of a corner stands in the file as (x, z, −y).
  std::string bytes;
  for (const double x : {0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, -0.25, 0.0, -2.0, 0.0}) bytes += single(x);
  for (const int i : {0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3}) bytes += {static_cast<char>(i), '\0'};
  write("b.bin", bytes);
  return write(name, R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
      "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0}]}],
      "materials":[)" + material +
                         R"(],
      "accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,-2,-0.25],"max":[0.5,0,0]},
                   {"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}],
      "bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":24}],
      "buffers":[{"uri":"b.bin","byteLength":72}]})");
}

TEST_F(MeshFile, GltfIsTurnedSoThatZPointsUp) { EXPECT_EQ(distinct(mesh_vertices(write_gltf("b.gltf"))), corners); }

TEST_F(MeshFile, ColoursOfGltfAreLightAndThoseOfColladaAreNot) {
  // Intensities of the sRGB values 0.5 and 0.02, the first in the curve's power and the second in its straight start.
  const double light = std::pow((0.5 + 0.055) / 1.055, 2.4), dark = 0.02 / 12.92;
  const std::string colored = R"({"pbrMetallicRoughness":{"baseColorFactor":[)" + std::to_string(light) + ",1," +
                              std::to_string(dark) + ",1]}}";
  const std::vector<MeshPart> parts = mesh_parts(write_gltf("b.gltf", colored));
  ASSERT_EQ(parts.size(), 1u);
  ASSERT_TRUE(parts[0].color);
  const Rgba srgb{0.5, 1, 0.02, 1};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR((*parts[0].color)[k], srgb[k], 1e-5) << k;

  std::string dae = collada("0 0 0 0.5 0 0 0 0.25 0 0 0 -2", "1", "Z_UP");
  const auto insert = [&](const std::string& before, const std::string& text) { dae.insert(dae.find(before), text); };
  insert("<library_geometries>",
         "<library_effects><effect id='e'><profile_COMMON><technique sid='t'><lambert><diffuse><color>0.5 1 0.25 1"
         "</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects><library_materials>"
         "<material id='m'><instance_effect url='#e'/></material></library_materials>");
  insert(" count=\"4\"><input semantic=\"VERTEX\"", " material='s'");
  insert("</node>", "</instance_geometry>");
  dae.replace(dae.find("url=\"#g\"/>"), 10,
              "url=\"#g\"><bind_material><technique_common><instance_material symbol='s' target='#m'/>"
              "</technique_common></bind_material>");
  const std::vector<MeshPart> plain = mesh_parts(write("c.dae", dae));
  ASSERT_EQ(plain.size(), 1u);
  EXPECT_EQ(plain[0].color, (Rgba{0.5, 1, 0.25, 1}));
}

/// Volume by the divergence theorem, about the origin.
double volume_of(const TriangleMesh& mesh) {
  double volume = 0;
  const auto at = [&](std::size_t i) { return mesh.vertices.at(mesh.triangles[i]); };
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) volume += at(i).dot(at(i + 1).cross(at(i + 2))) / 6;
  return volume;
}

/// A prism over an arrow, whose top and bottom are quadrilaterals that are not convex: area 0.5, height 2. The fan
/// starts at each corner in turn.
TEST_F(MeshFile, FacesOfAnyPolygonEncloseTheSolid) {
  for (int first = 0; first < 4; ++first) {
    std::string text;
    for (const char* z : {" 1", " 3"}) {
      for (const char* xy : {"0 0", "1 0.5", "0 2", "0.5 0.5"}) text += std::string("v ") + xy + z + "\n";
    }
    const auto corner = [&](int k) { return std::to_string((first + k + 4) % 4 + 1) + " "; };
    const auto above = [&](int k) { return std::to_string((first + k + 4) % 4 + 5) + " "; };
    text += "f " + corner(3) + corner(2) + corner(1) + corner(0) + "\nf " + above(0) + above(1) + above(2) + above(3);
    for (int k = 0; k < 4; ++k) text += "\nf " + corner(k) + corner(k + 1) + above(k + 1) + above(k);
    const OpenMesh mesh(write("arrow.obj", text + "\n"));
    EXPECT_NEAR(volume_of(mesh.faces()), 1, 1e-12) << first;
    EXPECT_EQ(mesh.faces().vertices, mesh.vertices());
  }
}

TEST_F(MeshFile, OneOpeningGivesVerticesFacesAndParts) {
  for (const std::string& file : {write("a.obj", tetrahedron), write("a.ply", ply + "3 1 2 3\n"), write_gltf("b.gltf"),
                                  write("m.dae", collada("0 0 0 0.5 0 0 0 0.25 0 0 0 -2", "1", "Z_UP"))}) {
    OpenMesh mesh(file);
    EXPECT_EQ(distinct(mesh.vertices()), corners) << file;
    EXPECT_EQ(mesh.faces().triangles.size(), 12u) << file;
    fs::remove(file);
    const std::vector<MeshPart> parts = mesh.parts();
    ASSERT_EQ(parts.size(), 1u) << file;
    EXPECT_EQ(distinct(parts[0].surface.vertices), corners) << file;
    EXPECT_EQ(parts[0].surface.triangles.size(), 12u) << file;
  }
}

TEST_F(MeshFile, FacesWithVerticesThatAreNotThereAreTold) {
  const std::string fault = "has a face with a vertex that is not there; it may be damaged";
  EXPECT_EQ(surface_fault(write("sound.ply", ply + "3 1 2 3\n")), "");
  EXPECT_EQ(surface_fault(write("far.ply", ply + "3 1 2 90000000\n")), fault);
  EXPECT_EQ(surface_fault(write("next.ply", ply + "3 1 2 4\n")), fault);
  EXPECT_EQ(surface_fault(write("negative.ply", ply + "3 1 2 -1\n")), fault);
  EXPECT_THROW(OpenMesh(path("far.ply")).faces(), Error);
  EXPECT_EQ(surface_fault(write_gltf("sound.gltf")), "");
}

TEST_F(MeshFile, EndingIsReadInCapitalsToo) {
  EXPECT_EQ(distinct(mesh_vertices(write("A.OBJ", tetrahedron))), corners);
}

TEST_F(MeshFile, BinaryAndAsciiStlGiveTheSameVertices) {
  std::vector<std::array<Vec3, 3>> triangles;
  std::string text = "solid a\n";
  for (int left_out = 0; left_out < 4; ++left_out) {
    std::array<Vec3, 3> triangle;
    for (int i = 0; i < 3; ++i) triangle[i] = corners[i < left_out ? i : i + 1];
    triangles.push_back(triangle);
    text += "facet normal 0 0 1\nouter loop\n";
    for (const Vec3& p : triangle) {
      text += "vertex " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " " + std::to_string(p.z()) + "\n";
    }
    text += "endloop\nendfacet\n";
  }
  text += "endsolid a\n";
  EXPECT_EQ(distinct(mesh_vertices(write("ascii.stl", text))), corners);
  EXPECT_EQ(distinct(mesh_vertices(write("binary.STL", binary_stl(triangles)))), corners);
}

TEST_F(MeshFile, AllObjectsOfAFileCount) {
  const std::string two = "o one\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no two\nv 0 0 5\nv 1 0 5\nv 0 1 5\nf 4 5 6\n";
  const std::vector<Vec3> all{{0, 0, 0}, {0, 0, 5}, {0, 1, 0}, {0, 1, 5}, {1, 0, 0}, {1, 0, 5}};
  EXPECT_EQ(distinct(mesh_vertices(write("two.obj", two))), all);
}

TEST_F(MeshFile, MaterialFilesThatAreNoneOrMissingDoNotMatter) {
  fs::create_directories(folder_ / "colours.mtl");
  EXPECT_EQ(distinct(mesh_vertices(write("a.obj", "mtllib colours.mtl\nmtllib none.mtl\n" + tetrahedron))), corners);
}

TEST_F(MeshFile, WhatCannotBeReadIsTold) {
  EXPECT_EQ(fault(path("none.stl")), "does not exist");
  EXPECT_EQ(fault(folder_.string()), "is no file");
  EXPECT_EQ(fault(write("a.step", "ISO-10303-21;")),
            "is none of the meshes that are read: STL, OBJ, PLY, COLLADA (.dae), glTF (.gltf, .glb); convert it");
  EXPECT_EQ(fault(write("garbage.stl", "no mesh at all")), "cannot be read as a mesh; it may be damaged");
  EXPECT_EQ(fault(write("empty.obj", "")), "cannot be read as a mesh; it may be damaged");
  EXPECT_EQ(fault(write("lines.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\nl 2 3\n")), "has no triangle");
  EXPECT_EQ(fault(write("nan.obj", "v 0 0 0\nv 1 0 nan\nv 0 1 0\nf 1 2 3\n")), "has a vertex that is not finite");
}

TEST_F(MeshFile, TextThatIsCutOffBetweenFacetsIsTold) {
  const auto facet = [](const std::string& last) {
    return "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex " + last + "\nendloop\nendfacet\n";
  };
  const std::string one = "solid endsolid's\n" + facet("0 1 0"), two = one + facet("0 0 1");
  EXPECT_EQ(mesh_vertices(write("whole.stl", two + "endsolid\n")).size(), 6u);
  EXPECT_EQ(mesh_vertices(write("capitals.stl", two + "  ENDSOLID endsolid's \r\n\r\n")).size(), 6u);
  EXPECT_EQ(mesh_vertices(write("both.stl", two + "endsolid\n" + two + "endsolid\n")).size(), 12u);
  for (const std::string& cut : {one, two, two + "end", two + "endsolid\n" + two, two + "endsolid a\nsolid b\n",
                                 two + "endsolid a\nsolid b\nfacet normal 0 0 1\nouter loop\n"}) {
    EXPECT_EQ(fault(write("cut.stl", cut)), "does not end with \"endsolid\"; it may be cut off");
  }
}

TEST_F(MeshFile, LargeFilesAreRefusedUnread) {
  const std::string large = write("large.stl", "solid");
  fs::resize_file(large, (64u << 20) + 1);
  EXPECT_EQ(fault(large), "is larger than 64 MiB; simplify the mesh");
}

TEST_F(MeshFile, CutAndChangedFilesNeverCrash) {
  const std::string whole = binary_stl({{corners[0], corners[1], corners[2]}, {corners[1], corners[2], corners[3]}});
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    static_cast<void>(fault(write("cut.stl", whole.substr(0, length))));
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0xff);
    static_cast<void>(fault(write("changed.stl", changed)));
  }
  for (std::size_t at = 0; at < tetrahedron.size(); ++at) {
    std::string changed = tetrahedron;
    changed[at] = '-';
    static_cast<void>(fault(write("changed.obj", changed)));
    static_cast<void>(surface_fault(path("changed.obj")));
  }
  const std::string faces = ply + "3 1 2 3\n";
  for (std::size_t at = faces.find("0 0 0"); at < faces.size(); ++at) {
    std::string changed = faces;
    changed[at] = '9';
    static_cast<void>(surface_fault(write("changed.ply", changed)));
  }
}

class ResolvePath : public MeshFile {};

TEST_F(ResolvePath, PlainPathsCountFromTheFile) {
  const std::string file = write("robot/arm.urdf", ""), mesh = write("robot/meshes/a.stl", "");
  EXPECT_EQ(resolve_path("meshes/a.stl", file, {}), mesh);
  EXPECT_EQ(resolve_path("../robot/meshes/a.stl", file, {}), mesh);
  EXPECT_EQ(resolve_path("file://meshes/a.stl", file, {}), mesh);
  EXPECT_EQ(resolve_path(mesh, path("elsewhere.urdf"), {}), mesh);
  EXPECT_EQ(resolve_path("file://" + mesh, path("elsewhere.urdf"), {}), mesh);
}

TEST_F(ResolvePath, PackagesAreFoundBesideAndAboveTheFile) {
  const std::string file = write("arm_description/urdf/arm.urdf", ""), mesh = write("arm_description/meshes/a.stl", "");
  const std::string other = write("hand/a.stl", "");
  for (const std::string scheme : {"package://", "model://"}) {
    EXPECT_EQ(resolve_path(scheme + "arm_description/meshes/a.stl", file, {}), mesh);
    EXPECT_EQ(resolve_path(scheme + "hand/a.stl", file, {}), other);
  }
  EXPECT_EQ(resolve_path("model://hand", file, {}), path("hand"));
}

TEST_F(ResolvePath, NearerFoldersWinAndTheSearchPathComesLastInItsOrder) {
  const std::string file = write("here/arm.urdf", "");
  const std::string second = write("b/hand/a.stl", "");
  const ImportOptions options{{path("a/hand/"), path("b")}};
  EXPECT_EQ(resolve_path("package://hand/a.stl", file, options), second);
  const std::string first = write("a/hand/a.stl", "");
  EXPECT_EQ(resolve_path("package://hand/a.stl", file, options), first);
  const std::string above = write("hand/a.stl", "");
  EXPECT_EQ(resolve_path("package://hand/a.stl", file, options), above);
  const std::string beside = write("here/hand/a.stl", "");
  EXPECT_EQ(resolve_path("package://hand/a.stl", file, options), beside);
}

std::string resolve_fault(const std::string& uri, const std::string& file, const ImportOptions& options = {}) {
  try {
    static_cast<void>(resolve_path(uri, file, options));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST_F(ResolvePath, WhatIsNowhereIsToldWithThePlaces) {
  const std::string file = path("robot/arm.urdf");
  EXPECT_EQ(resolve_fault("a.stl", file), "\"a.stl\" is not there; looked for " + path("robot/a.stl"));
  // A folder called as the package is looked into first.
  const std::string fault = resolve_fault("package://robot/a.stl", file);
  const std::string start = "\"package://robot/a.stl\" is not there; looked for " + path("robot/a.stl") + ", " +
                            path("robot/robot/a.stl") + ", ";
  EXPECT_EQ(fault.substr(0, start.size()), start);
  EXPECT_EQ(resolve_fault("", file), "the path is empty; name a file");
  EXPECT_EQ(resolve_fault("package://", file), "\"package://\" names no package; write package://NAME/FILE");
  EXPECT_EQ(resolve_fault("https://a/b.stl", file),
            "\"https://a/b.stl\" is an address that cannot be read; use package://, model://, file:// or a path");
}

TEST_F(ResolvePath, NoMoreThanEightPlacesAreTold) {
  ImportOptions options;
  for (int i = 0; i < 20; ++i) options.search_path.push_back(path("p" + std::to_string(i)));
  const std::string fault = resolve_fault("package://none/a.stl", path("arm.urdf"), options);
  EXPECT_EQ(std::count(fault.begin(), fault.end(), ','), 8);
  EXPECT_TRUE(fault.ends_with(", …")) << fault;
}

}  // namespace
}  // namespace carom::mesh_file_test
