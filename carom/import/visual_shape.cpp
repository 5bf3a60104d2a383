#include "carom/import/visual_shape.h"

#include <algorithm>
#include <type_traits>

#include "carom/import/mesh_file.h"

namespace carom {

std::optional<VisualShape> visual_shape(const Shape& shape) {
  return std::visit(
      [](const auto& one) -> std::optional<VisualShape> {
        if constexpr (std::is_constructible_v<VisualShape, decltype(one)>) {
          return VisualShape(one);
        } else {
          return {};
        }
      },
      shape);
}

Rgba color_of(const VectorX& rgba) {
  Rgba color{};
  for (std::size_t k = 0; k < color.size(); ++k) color[k] = std::clamp(rgba[static_cast<Eigen::Index>(k)], 0.0, 1.0);
  return color;
}

std::string find_visual_mesh(const std::string& uri, const XmlNode& at, const ImportOptions& options,
                             XmlFaults& faults) {
  try {
    return resolve_path(uri, faults.file(), options);
  } catch (const MissingFile& missing) {
    faults.add_missing(at, "the mesh", missing);
  } catch (const Error& error) {
    faults.add(at, std::string("the mesh ") + error.what());
  }
  return uri;
}

void add_undrawn(const std::string& element, const XmlFaults& faults, std::vector<ImportNote>& notes) {
  for (ImportNote note : faults.faults()) {
    note.text = "<" + element + ">: " + note.text;
    const bool told = std::any_of(notes.begin(), notes.end(), [&](const ImportNote& other) {
      return other.file == note.file && other.line == note.line && other.text == note.text;
    });
    if (!told) notes.push_back(std::move(note));
  }
}

}  // namespace carom
