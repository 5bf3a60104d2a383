#include "carom/record/scene_bytes.h"

#include <cmath>
#include <cstring>

#include "carom/record/stored_appearance.h"
#include "carom/record/stored_model.h"
#include "carom/record/stored_run.h"
#include "carom/stepper/method_data.h"

namespace carom {
namespace {

constexpr std::uint64_t byte_order = 0x0102030405060708;
constexpr const char* whole = "the bytes";  // how sentences call them

/// Values one after the other, each after its length.
class BytesWriter {
 public:
  BytesWriter(const std::string& what, std::int64_t version) {
    add(byte_order);
    add(what);
    add(static_cast<std::uint64_t>(version));
  }
  void add(std::uint64_t number) { append(&number, sizeof number); }
  void add(double number) { append(&number, sizeof number); }
  void add(const std::string& text) {
    add(std::uint64_t{text.size()});
    append(text.data(), text.size());
  }
  void add(const stored::Tree& tree) {
    add(tree.text);
    add(std::uint64_t{tree.numbers.size()});
    append(tree.numbers.data(), tree.numbers.size() * sizeof(double));
  }
  std::string finish() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t size) {
    if (size > 0) bytes_.append(static_cast<const char*>(data), size);
  }
  std::string bytes_;
};

class BytesReader {
 public:
  BytesReader(const std::string& bytes, const std::string& what, std::int64_t version) : bytes_(&bytes) {
    if (bytes.size() < sizeof byte_order || number() != byte_order || text() != what) {
      throw Error("these bytes are no " + what + " of Carom on this kind of machine");
    }
    const std::uint64_t found = number();
    if (found != static_cast<std::uint64_t>(version)) {
      throw Error("these bytes hold a " + what + " of version " + std::to_string(found) + "; this program reads " +
                  std::to_string(version));
    }
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(1, sizeof value), sizeof value);
    return value;
  }
  double real() {
    double value = 0;
    std::memcpy(&value, take(1, sizeof value), sizeof value);
    return value;
  }
  std::string text() {
    const std::uint64_t size = number();
    const char* const first = take(size, 1);
    return {first, first + size};
  }
  stored::Tree tree() {
    stored::Tree tree{text(), {}};
    const std::uint64_t count = number();
    const char* const first = take(count, sizeof(double));
    tree.numbers.resize(count);
    if (count > 0) std::memcpy(tree.numbers.data(), first, count * sizeof(double));
    return tree;
  }
  /// Call it last.
  void finish() const {
    if (at_ != bytes_->size()) throw Error("the bytes are damaged: there are more of them than they say");
  }

 private:
  const char* take(std::uint64_t count, std::size_t size) {
    if (count > (bytes_->size() - at_) / size) throw Error("the bytes are damaged: they end too early");
    const char* const first = bytes_->data() + at_;
    at_ += count * size;
    return first;
  }
  const std::string* bytes_;
  std::size_t at_ = 0;
};

std::string bytes_of(const stored::Tree& tree, const std::string& what, std::int64_t version) {
  BytesWriter writer(what, version);
  writer.add(tree);
  return writer.finish();
}

stored::Tree tree_of(const std::string& bytes, const std::string& what, std::int64_t version) {
  BytesReader reader(bytes, what, version);
  stored::Tree tree = reader.tree();
  reader.finish();
  return tree;
}

}  // namespace

std::string model_bytes(const Model& model) {
  return bytes_of(stored::write_model(model), "model", stored::model_version);
}

std::shared_ptr<const Model> model_from_bytes(const std::string& bytes) {
  return stored::read_model(tree_of(bytes, "model", stored::model_version), whole);
}

std::string method_bytes(const Method& method) {
  const std::vector<std::string> faults = method_faults(method);
  if (!faults.empty()) throw Error("the method makes no sense: " + faults.front());
  return bytes_of(stored::write_method(method), "method", stored::method_version);
}

Method method_from_bytes(const std::string& bytes, const Catalogue& catalogue) {
  return stored::read_method(tree_of(bytes, "method", stored::method_version), whole, catalogue);
}

std::string scene_bytes(const Scene& scene) {
  BytesWriter writer("scene", stored::run_version);
  for (const std::string& text : {scene.name, scene.file, scene.text}) writer.add(text);
  writer.add(scene.duration);
  writer.add(model_bytes(*scene.model));
  writer.add(method_bytes(scene.method));
  writer.add(bytes_of(stored::write_appearance(scene.appearance), "appearance", stored::appearance_version));
  writer.add(stored::write_run(stored::run_choices(scene)));
  return writer.finish();
}

Scene scene_from_bytes(const std::string& bytes, State start, const Catalogue& catalogue) {
  BytesReader reader(bytes, "scene", stored::run_version);
  Scene scene;
  for (std::string* text : {&scene.name, &scene.file, &scene.text}) *text = reader.text();
  scene.duration = reader.real();
  if (!std::isfinite(scene.duration)) throw Error("the bytes are damaged: the duration is no number of seconds");
  scene.catalogue = &catalogue;
  scene.model = model_from_bytes(reader.text());
  scene.method = method_from_bytes(reader.text(), catalogue);
  scene.appearance = stored::read_appearance(tree_of(reader.text(), "appearance", stored::appearance_version), whole,
                                             scene.model->body_count(), scene.model->colliders().size());
  stored::give(stored::read_run(reader.tree(), whole), whole, scene);
  reader.finish();
  if (start.q.size() != scene.model->position_count() || start.v.size() != scene.model->velocity_count()) {
    throw Error("the start of the scene is one of another model");
  }
  scene.initial = std::move(start);
  scene.has_restitution = may_rebound(*scene.model);
  return scene;
}

}  // namespace carom
