#include <algorithm>
#include <filesystem>

#include "carom/error.h"
#include "carom/import/height_samples.h"
#include "carom/import/mesh_file.h"
#include "carom/import/mjcf/reader.h"

// Heights as MuJoCo takes them. They are scaled to 0 … 1: the lowest sample is at z = 0 and the highest at the third
// size. In `elevation` and in images the first row is the one of greatest y, in MuJoCo's own files that of least y. The
// fourth size would be the thickness below the surface; here all below it is solid.
namespace carom::mjcf {
namespace {

constexpr int most_samples = 1 << 22;

std::optional<HeightSamples> samples_of_file(const XmlNode& node, const std::string& file, Reader& reader) {
  std::string path = asset_file_of(file, reader.compiler), what = "the height field's file ";
  try {
    path = resolve_path(path, reader.file, reader.options);
    what += "\"" + path + "\" ";
    return is_png(path) ? read_height_image(path, ImageDepth::eight_bits) : read_mujoco_heights(path);
  } catch (const MissingFile& missing) {
    reader.faults.add_missing(node, "the height field's file", missing);
  } catch (const Error& error) {
    reader.faults.add(node, what + error.what());
  }
  return {};
}

std::optional<HeightSamples> samples_of_elevation(Element& element, Reader& reader) {
  const int rows = element.integer(reader.faults, "nrow", 0), columns = element.integer(reader.faults, "ncol", 0);
  if (rows < 2 || columns < 2 || rows > most_samples / columns) {
    reader.faults.add(element.node(),
                      "<hfield> needs a file, or nrow and ncol of 2 or more, and at most 4 million samples in all");
    return {};
  }
  const int count = rows * columns;
  HeightSamples samples{columns, rows, std::vector<double>(static_cast<std::size_t>(count), 0.0)};
  if (!element.has("elevation")) return samples;
  const auto given = element.numbers(reader.faults, "elevation", count, count);
  if (!given) return {};
  for (int k = 0; k < count; ++k) samples.values[k] = (*given)[(rows - 1 - k / columns) * columns + k % columns];
  return samples;
}

std::optional<HeightSamples> samples_of(Element& element, Reader& reader) {
  const std::string* file = element.text("file");
  if (!file || file->empty()) return samples_of_elevation(element, reader);
  static_cast<void>(element.has("content_type"));  // the file's own beginning tells what it is
  for (const char* other : {"nrow", "ncol", "elevation"}) {
    const std::string* said = element.text(other);
    if (said == nullptr || *said == "0") continue;
    reader.faults.add(element.node(), std::string("<hfield> has a file and ") + other + "; the file says it all");
    return {};
  }
  return samples_of_file(element.node(), *file, reader);
}

void load(HeightAsset& asset, Reader& reader) {
  asset.loaded = true;
  Element element(*asset.node);
  const auto size = element.numbers(reader.faults, "size", 4, 4);
  if (!size || size->minCoeff() <= 0) {
    reader.faults.add(*asset.node,
                      "<hfield> needs a size of four positive lengths: half its widths, its height and its base");
    return;
  }
  auto samples = samples_of(element, reader);
  if (!samples) return;
  const auto [least, greatest] = std::minmax_element(samples->values.begin(), samples->values.end());
  const double low = *least, range = *greatest - low;
  for (double& z : samples->values) z = range > 0 ? (z - low) / range * (*size)[2] : 0;
  const Vec2 spacing(2 * (*size)[0] / (samples->columns - 1), 2 * (*size)[1] / (samples->rows - 1));
  try {
    asset.grid =
        std::make_shared<const HeightGrid>(samples->columns, samples->rows, spacing, std::move(samples->values));
  } catch (const Error& error) {
    reader.faults.add(*asset.node, std::string("<hfield> has no surface: ") + error.what());
  }
}

}  // namespace

void list_height_fields(XmlNode& root, Reader& reader) {
  for (XmlNode* asset : root.all("asset")) {
    for (XmlNode* node : asset->all("hfield")) {
      const std::string* said = node->attribute("name");
      const std::string* file = node->attribute("file");
      if (!said && !file) {
        reader.faults.add(*node, "<hfield> has neither a name nor a file; it needs one of them");
        continue;
      }
      const std::string name = said ? *said : std::filesystem::path(*file).stem().string();
      if (reader.height_fields.emplace(name, HeightAsset{node, nullptr, false}).second) continue;
      reader.faults.add(*node, "there are two height fields called \"" + name + "\"; each needs a name of its own");
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
