#include "carom/scene/surfaces.h"

#include <algorithm>

#include "carom/scene/joint_patterns.h"
#include "carom/scene/values.h"

namespace carom {

Surfaces::Surfaces(const std::vector<SceneShape>& world, const SceneBodies& bodies) : bodies_(bodies) {
  const auto add = [&](const std::vector<SceneShape>& shapes, const std::string& body) {
    for (const SceneShape& shape : shapes)
      all_.push_back({shape.name, body, shape.name.substr(0, shape.name.rfind('/'))});
  };
  add(world, "world");
  for (const SceneBody& body : bodies.bodies) {
    first_.push_back(static_cast<int>(all_.size()));
    add(body.shapes, body.name);
  }
}

int Surfaces::number(int body, std::size_t place) const {
  return (body < 0 ? 0 : first_[static_cast<std::size_t>(body)]) + static_cast<int>(place);
}

std::vector<int> Surfaces::read(const YamlNode& node, bool of_shapes, Diagnostics& diagnostics) const {
  std::vector<int> numbers;
  const auto pattern = read_text(node, of_shapes ? "shapes" : "bodies", diagnostics);
  if (!pattern) return numbers;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const Surface& surface = all_[i];
    const bool meant = of_shapes ? matches(surface.name, *pattern)
                                 : matches(surface.body, *pattern) || matches(surface.owner, *pattern);
    if (meant) numbers.push_back(static_cast<int>(i));
    names.push_back(of_shapes ? surface.name : surface.body);
  }
  if (!numbers.empty() || !bodies_.complete) return numbers;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const bool bare = !of_shapes && (*pattern == "world" || bodies_.index.contains(*pattern));
  diagnostics.add(node.place, bare ? in_quotes(*pattern) + " has no shapes, so it touches nothing; name another body"
                                   : "there is no " + std::string(of_shapes ? "shape " : "body with shapes ") +
                                         in_quotes(*pattern) + nearest_names(*pattern, std::move(names)));
  return numbers;
}

}  // namespace carom
