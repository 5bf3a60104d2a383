#include <algorithm>

#include "carom/error.h"
#include "carom/import/mjcf/reader.h"

// Heights as MuJoCo takes them. The `elevation` is scaled to 0 … 1: its lowest sample is at z = 0 and its highest at
// the third size. The first row is the one of greatest y. The fourth size would be the thickness below the surface;
// here all below it is solid.
namespace carom::mjcf {
namespace {

constexpr int most_samples = 1 << 22;

/// Heights from 0 to 1, by rows of growing y.
std::vector<double> elevation_of(Element& element, int rows, int columns, Reader& reader) {
  const int count = rows * columns;
  std::vector<double> heights(static_cast<std::size_t>(count), 0.0);
  const auto given = element.numbers(reader.faults, "elevation", count, count);
  if (!given) return heights;
  const double least = given->minCoeff(), range = given->maxCoeff() - least;
  for (int k = 0; k < count; ++k) {
    const double above = (*given)[(rows - 1 - k / columns) * columns + k % columns] - least;
    heights[k] = range > 0 ? above / range : 0;
  }
  return heights;
}

void load(HeightAsset& asset, Reader& reader) {
  asset.loaded = true;
  Element element(*asset.node);
  if (element.has("file")) {
    reader.faults.add(*asset.node,
                      "<hfield> names a file; Carom reads the attribute elevation alone, with nrow and ncol");
    return;
  }
  const int rows = element.integer(reader.faults, "nrow", 0), columns = element.integer(reader.faults, "ncol", 0);
  const auto size = element.numbers(reader.faults, "size", 4, 4);
  if (rows < 2 || columns < 2 || rows > most_samples / columns) {
    reader.faults.add(*asset.node, "<hfield> needs nrow and ncol of 2 or more, and at most 4 million samples in all");
    return;
  }
  if (!size || size->minCoeff() <= 0) {
    reader.faults.add(*asset.node,
                      "<hfield> needs a size of four positive lengths: half its widths, its height and its base");
    return;
  }
  std::vector<double> heights = elevation_of(element, rows, columns, reader);
  for (double& z : heights) z *= (*size)[2];
  const Vec2 spacing(2 * (*size)[0] / (columns - 1), 2 * (*size)[1] / (rows - 1));
  try {
    asset.grid = std::make_shared<const HeightGrid>(columns, rows, spacing, std::move(heights));
  } catch (const Error& error) {
    reader.faults.add(*asset.node, std::string("<hfield> has no surface: ") + error.what());
  }
}

}  // namespace

void list_height_fields(XmlNode& root, Reader& reader) {
  for (XmlNode* asset : root.all("asset")) {
    for (XmlNode* node : asset->all("hfield")) {
      const auto name = reader.faults.require(*node, "name");
      if (!name || reader.height_fields.emplace(*name, HeightAsset{node, nullptr, false}).second) continue;
      reader.faults.add(*node, "there are two height fields called \"" + *name + "\"; each needs a name of its own");
    }
  }
}

std::shared_ptr<const HeightGrid> find_height_field(const XmlNode& at, const std::string& name, Reader& reader) {
  const auto found = reader.height_fields.find(name);
  if (found == reader.height_fields.end()) {
    reader.faults.add(at, "<geom> shows the height field \"" + name + "\", which no <asset> holds");
    return nullptr;
  }
  if (!found->second.loaded) load(found->second, reader);
  return found->second.grid;
}

}  // namespace carom::mjcf
