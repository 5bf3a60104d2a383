// Time to load a robot of 50 meshes and 200 000 triangles. `bench_load` writes a chain of wavy tori, once for each kind
// of mesh file, and prints processor times. None of the tori is convex. The column "model" is the reading of the model,
// "scene" the rest until a simulation could begin.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>
#include <sstream>

#include "carom/import/imported_model.h"
#include "carom/scene/model_scene.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"

namespace {

namespace fs = std::filesystem;
using carom::Vec3;

constexpr int meshes = 50, along = 50, around = 40;

struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
};

Mesh wavy_torus(int number) {
  Mesh mesh;
  constexpr double turn = 2 * std::numbers::pi;
  for (int i = 0; i < along; ++i) {
    for (int j = 0; j < around; ++j) {
      const double u = turn * i / along, v = turn * j / around;
      const double tube = 0.02 * (1 + 0.2 * std::sin(5 * u + number) * std::cos(3 * v));
      const double out = 0.06 * (1 + 0.1 * std::sin(3 * u + 0.1 * number)) + tube * std::cos(v);
      mesh.vertices.emplace_back(out * std::cos(u), out * std::sin(u), tube * std::sin(v));
      const int next = (i + 1) % along * around, up = (j + 1) % around;
      mesh.triangles.push_back({i * around + j, next + j, next + up});
      mesh.triangles.push_back({i * around + j, next + up, i * around + up});
    }
  }
  return mesh;
}

void write_obj(const Mesh& mesh, std::ostream& out) {
  for (const Vec3& v : mesh.vertices) out << "v " << v.x() << ' ' << v.y() << ' ' << v.z() << '\n';
  for (const auto& [a, b, c] : mesh.triangles) out << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
}

void write_stl(const Mesh& mesh, std::ostream& out) {
  const auto bytes = [&](const auto& value) {
    std::array<char, sizeof value> raw;
    std::memcpy(raw.data(), &value, sizeof value);
    out.write(raw.data(), raw.size());
  };
  out << std::string(80, ' ');
  bytes(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& triangle : mesh.triangles) {
    for (int k = 0; k < 3; ++k) bytes(0.0f);
    for (const int corner : triangle) {
      for (const double x : mesh.vertices[static_cast<std::size_t>(corner)]) bytes(static_cast<float>(x));
    }
    bytes(std::uint16_t{0});
  }
}

void write_dae(const Mesh& mesh, std::ostream& out) {
  const std::size_t n = mesh.vertices.size();
  out << "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset><unit "
         "meter='1'/></asset>"
      << "<library_geometries><geometry id='g'><mesh><source id='p'><float_array id='f' count='" << 3 * n << "'>";
  for (const Vec3& v : mesh.vertices) out << v.x() << ' ' << v.y() << ' ' << v.z() << ' ';
  out << "</float_array><technique_common><accessor source='#f' count='" << n << "' stride='3'><param name='X' "
      << "type='double'/><param name='Y' type='double'/><param name='Z' type='double'/></accessor></technique_common>"
      << "</source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices><triangles count='"
      << mesh.triangles.size() << "'><input semantic='VERTEX' source='#v' offset='0'/><p>";
  for (const auto& [a, b, c] : mesh.triangles) out << a << ' ' << b << ' ' << c << ' ';
  out << "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id='s'><node "
      << "id='n'><instance_geometry url='#g'/></node></visual_scene></library_visual_scenes><scene>"
      << "<instance_visual_scene url='#s'/></scene></COLLADA>";
}

/// The robot's file, whose meshes have this ending.
std::string write_robot(const fs::path& folder, const char* ending, void (*write)(const Mesh&, std::ostream&)) {
  std::ostringstream urdf;
  urdf << "<robot name='chain'>";
  for (int k = 0; k < meshes; ++k) {
    const std::string file = "torus" + std::to_string(k) + ending;
    std::ofstream stream(folder / file, std::ios::binary);
    stream.precision(9);
    write(wavy_torus(k), stream);
    urdf << "<link name='l" << k << "'><inertial><mass value='1'/><inertia ixx='0.01' ixy='0' ixz='0' iyy='0.01' "
         << "iyz='0' izz='0.01'/></inertial><collision><geometry><mesh filename='" << file
         << "'/></geometry></collision></link>";
    if (k == 0) continue;
    urdf << "<joint name='j" << k << "' type='continuous'><parent link='l" << k - 1 << "'/><child link='l" << k
         << "'/><origin xyz='0.2 0 0'/><axis xyz='0 0 1'/></joint>";
  }
  const fs::path path = folder / "chain.urdf";
  std::ofstream(path) << urdf.str() << "</robot>";
  return path.string();
}

struct Format {
  const char* ending;
  void (*write)(const Mesh&, std::ostream&);
};
constexpr std::array formats = {Format{".stl", write_stl}, Format{".obj", write_obj}, Format{".dae", write_dae}};

double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

int main() {
  const fs::path folder = fs::temp_directory_path() / ("carom_bench_load_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::printf("%-5s %8s %8s\n", "", "model, s", "scene, s");
  for (const auto& [ending, write] : formats) {
    const std::string path = write_robot(folder, ending, write);
    double of_model = 1e9, of_scene = 1e9;
    for (int k = 0; k < 3; ++k) {  // the least of three
      const double start = processor_seconds();
      carom::SceneOverrides overrides;
      overrides.read_before = carom::read_model(path, {});
      const double read = processor_seconds();
      const auto placement = carom::placed_as_file_says(overrides.read_before->model, {});
      const carom::Scene scene = parse_scene(carom::scene_of_model(path, placement), path, overrides);
      static_cast<void>(carom::Simulation(scene.model, scene.method, scene.initial));
      of_model = std::min(of_model, read - start);
      of_scene = std::min(of_scene, processor_seconds() - read);
    }
    std::printf("%-5s %8.2f %8.2f\n", ending, of_model, of_scene);
  }
  fs::remove_all(folder);
}
