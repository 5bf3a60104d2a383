#include "carom/scene/surface_pairs.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "carom/scene/surfaces.h"

namespace carom {

std::vector<ColliderPair> read_surface_pairs(const SceneMaterials& materials, const std::vector<SceneShape>& world,
                                             const SceneBodies& bodies, Diagnostics& diagnostics) {
  std::vector<ColliderPair> pairs;
  if (materials.surface_pairs.empty()) return pairs;
  const Surfaces surfaces(world, bodies);
  for (const bool of_shapes : {false, true}) {
    std::set<std::pair<int, int>> seen;
    for (const SurfacePair& entry : materials.surface_pairs) {
      if (entry.of_shapes != of_shapes) continue;
      ColliderPair pair;
      pair.a = surfaces.read(entry.names->items[0], of_shapes, diagnostics);
      pair.b = surfaces.read(entry.names->items[1], of_shapes, diagnostics);
      pair.together = entry.together;
      std::set<std::pair<int, int>> own;
      for (const int a : pair.a) {
        for (const int b : pair.b) own.insert(std::minmax(a, b));
      }
      const auto twice = std::find_if(own.begin(), own.end(), [&](const auto& both) { return seen.contains(both); });
      if (twice != own.end()) {
        diagnostics.add(entry.names->place, "what " + in_quotes(surfaces.name(twice->first)) + " and " +
                                                in_quotes(surfaces.name(twice->second)) +
                                                " do together is given already by another pair of " +
                                                (of_shapes ? "shapes" : "bodies") + "; keep one");
      }
      seen.merge(own);
      pairs.push_back(std::move(pair));
    }
  }
  return pairs;
}

}  // namespace carom
