#pragma once

#include <string>
#include <vector>

#include "carom/scene/bodies.h"

namespace carom {

/// The shapes of a scene by the names that it may use for them. They are numbered as the model's colliders are: those
/// of the world, then each body's.
class Surfaces {
 public:
  /// `bodies` must outlive it.
  Surfaces(const std::vector<SceneShape>& world, const SceneBodies& bodies);

  /// Number of the shape at this place of a body's (−1: of the world's).
  int number(int body, std::size_t place) const;
  /// "ball/sphere"
  const std::string& name(int number) const { return all_[static_cast<std::size_t>(number)].name; }

  /// Shapes that a text names: shapes by their own names, or all shapes of a body (or world). In the text * stands for
  /// anything and ? for a character. A link of a model file that was welded to another keeps its name as that of a
  /// body: its shapes are called after it. A text that matches none is told, with the nearest names.
  std::vector<int> read(const YamlNode& node, bool of_shapes, Diagnostics& diagnostics) const;

 private:
  struct Surface {
    std::string name;
    std::string body;   ///< world of what does not move
    std::string owner;  ///< what the name begins with: of a link that was welded to the body the link
  };
  std::vector<Surface> all_;
  std::vector<int> first_;  ///< number of each body's first shape
  const SceneBodies& bodies_;
};

}  // namespace carom
