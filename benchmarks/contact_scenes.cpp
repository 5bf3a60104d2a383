#include "benchmarks/contact_scenes.h"

#include <Eigen/Geometry>
#include <cmath>

#include "testing/models/random_tree.h"

namespace carom::bench {
namespace {

/// A plane through the origin that falls along x with the slope.
Transform tilted(double slope) {
  return {Eigen::AngleAxisd(std::atan(slope), Vec3::UnitY()).toRotationMatrix(), Vec3::Zero()};
}

}  // namespace

ContactScene wall(int rows, int bricks) {
  constexpr double joint = 0.002, length = 0.2, height = 0.1, pitch = length + joint;
  ContactScene scene;
  scene.name = "wall_" + std::to_string(rows * bricks);
  scene.stands = true;
  scene.planes.push_back({});
  const auto lay = [&](double left, int row, double size) {
    const Box box{{size / 2, 0.05, height / 2}};
    scene.bodies.push_back({box, 2 * size / length, {left + size / 2, 0, height * (row + 0.5)}});
  };
  for (int row = 0; row < rows; ++row) {
    const bool shifted = row % 2 == 1;
    const double half = (length - joint) / 2;
    if (shifted) lay(0, row, half);
    for (int i = 0; i < bricks - (shifted ? 1 : 0); ++i) lay(pitch * (shifted ? i + 0.5 : i), row, length);
    if (shifted) lay(pitch * (bricks - 0.5), row, half);
  }
  return scene;
}

ContactScene heap(int count) {
  constexpr double pitch = 0.22;
  ContactScene scene;
  scene.name = "heap_" + std::to_string(count);
  const int across = static_cast<int>(std::ceil(std::cbrt(0.5 * count)));
  const double half_width = 0.5 * pitch * across + 0.02;
  scene.planes.push_back({});
  for (const Vec3& normal : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)}) {
    scene.planes.push_back({contact_frame(normal), -half_width * normal});
  }
  Random random(12);
  for (int i = 0; i < count; ++i) {
    const int column = i % (across * across), layer = i / (across * across);
    const Vec3 place(pitch * (column % across - 0.5 * (across - 1)), pitch * (column / across - 0.5 * (across - 1)),
                     0.15 + 0.18 * layer);
    const Quaternion turn(random.rotation());
    const double size = random.uniform(0.04, 0.07), mass = random.uniform(0.5, 2);
    // Neighbours differ, in a row and from layer to layer.
    const bool ball = (column % across + column / across + layer) % 2 == 0;
    const Shape shape = ball ? Shape(Sphere{size}) : Shape(Box{{size, 0.8 * size, 0.6 * size}});
    scene.bodies.push_back({shape, mass, place + random.vector(0.01), turn});
  }
  return scene;
}

ContactScene lattice(int across, int along, int up) {
  constexpr double radius = 0.05, density = 1000;
  const double mass = 4.0 / 3 * 3.14159265358979 * std::pow(radius, 3) * density;
  ContactScene scene;
  scene.name = "lattice_" + std::to_string(across * along * up);
  scene.duration = 0.1;
  scene.stands = true;
  scene.planes.push_back({});
  for (int i = 0; i < across * along * up; ++i) {
    const Vec3 place(i % across, i / across % along, i / (across * along));
    scene.bodies.push_back({Sphere{radius}, mass, 2 * radius * place + Vec3(0, 0, radius)});
  }
  return scene;
}

ContactScene slope() {
  ContactScene scene;
  scene.name = "slope";
  scene.duration = 0.5;
  scene.planes.push_back(tilted(0.7));
  const Mat3& R = scene.planes.front().R;
  scene.bodies.push_back({Box{{0.1, 0.1, 0.025}}, 2, 0.025 * R.col(2), Quaternion(R)});
  return scene;
}

ContactScene held_stack(int bricks) {
  ContactScene scene;
  scene.name = bricks == 1 ? "brick on a ramp" : std::to_string(bricks) + " bricks on a ramp";
  scene.stands = true;
  scene.step = 0.001;
  scene.duration = 60;
  scene.planes.push_back(tilted(0.25));
  const Mat3& R = scene.planes.front().R;
  for (int i = 0; i < bricks; ++i) {
    scene.bodies.push_back({Box{{0.1, 0.05, 0.05}}, 2, (0.05 + 0.1 * i) * R.col(2), Quaternion(R)});
  }
  return scene;
}

}  // namespace carom::bench
