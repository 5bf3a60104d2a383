#include "carom/geometry/polyhedron.h"
#include "carom/import/mesh_file.h"
#include "testing/fuzz/fuzz_target.h"

// The vertices, and the hull that collisions take.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const carom::fuzz::TemporaryPath path(".stl");
  path.write(data, size);
  return carom::fuzz::read_or_refuse([] { static_cast<void>(carom::convex_hull(carom::mesh_vertices(path.name()))); });
}
