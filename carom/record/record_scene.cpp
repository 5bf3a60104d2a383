#include <algorithm>
#include <bit>
#include <cmath>

#include "carom/record/certificate_fields.h"
#include "carom/record/part_names.h"
#include "carom/record/record_file.h"
#include "carom/record/record_layout.h"
#include "carom/record/stored_appearance.h"
#include "carom/record/stored_model.h"
#include "carom/record/stored_run.h"
#include "carom/stepper/method_data.h"
#include "carom/version.h"

namespace carom {
namespace {

constexpr const char* group = "/scene";

std::int64_t line_of_difference(const std::string& a, const std::string& b) {
  std::int64_t line = 1;
  for (std::size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) line += a[i] == '\n';
  return line;
}

/// The places of a text, of the numbers beside it and of the version of both.
struct TreePlace {
  const char *group, *text, *numbers;
  const char* what;
  std::int64_t version;
};
constexpr TreePlace model_place{"/model", "/model/parts", "/model/numbers", "model", stored::model_version};
constexpr TreePlace method_place{"/method", "/method/choices", nullptr, "method", stored::method_version};
constexpr TreePlace appearance_place{"/appearance", "/appearance/parts", "/appearance/numbers", "appearance",
                                     stored::appearance_version};
constexpr TreePlace run_place{"/run", "/run/choices", nullptr, "run", stored::run_version};

void write_tree(Hdf5File& file, const TreePlace& place, const stored::Tree& tree) {
  file.make_group(place.group);
  file.set(place.group, "version", place.version);
  file.write_long_text(place.text, tree.text);
  if (place.numbers != nullptr) file.write_numbers(place.numbers, tree.numbers);
}

stored::Tree read_tree(const Hdf5File& file, const TreePlace& place) {
  const std::int64_t version = file.integer(place.group, "version");
  if (version != place.version) {
    throw Error(file.path() + ": the record's " + place.what + " has version " + std::to_string(version) +
                "; this program reads version " + std::to_string(place.version));
  }
  stored::Tree tree{file.read_long_text(place.text), {}};
  if (place.numbers != nullptr) tree.numbers = file.read_numbers(place.numbers);
  return tree;
}

/// The differences between two methods, as "step 0.01 and not 0.02".
std::string differences(const stored::Value& had, const stored::Value& asked, const std::string& name) {
  if (const auto* fields = had.as<stored::Value::Map>()) {
    std::string all;
    for (const auto& [field, value] : *fields) {
      const stored::Value* other = asked.find(field);
      const std::string more =
          differences(value, other != nullptr ? *other : stored::Value(), name.empty() ? field : name + "." + field);
      all += (all.empty() || more.empty() ? "" : ", ") + more;
    }
    return all;
  }
  if (had == asked) return {};
  const auto shown = [](const stored::Value& value) {
    const auto* text = value.as<std::string>();
    return text != nullptr ? *text : stored::json_text(value);
  };
  return name + " " + shown(had) + " and not " + shown(asked);
}

bool are_the_same(const stored::Tree& a, const stored::Tree& b) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  return a.text == b.text && std::equal(a.numbers.begin(), a.numbers.end(), b.numbers.begin(), b.numbers.end(),
                                        [&](double x, double y) { return bits(x) == bits(y); });
}

}  // namespace

void write_scene(Hdf5File& file, const Scene& scene, bool with_model) {
  file.set("/", "format", record_format);
  file.set("/", "version", std::string(CAROM_VERSION));
  file.make_group(group);
  if (!scene.text.empty()) file.write_texts("/scene/text", {scene.text});
  file.set(group, "name", scene.name);
  file.set(group, "file", scene.file);
  file.set(group, "duration", scene.duration);
  const Method& method = scene.method;
  file.set(group, "stepper", stepper_name(method.stepper));
  file.set(group, "law", law_name(method.law));
  file.set(group, "dynamics", dynamics_name(method.dynamics));
  file.set(group, "form", form_name(method.form));
  file.set(group, "cone", cone_name(method.cone));
  file.set(group, "gyroscopic", gyroscopic_name(method.gyroscopic));
  file.set(group, "smooth", smooth_name(method.smooth));
  file.set(group, "step", method.step);
  file.set(group, "directions", std::int64_t{method.generators()});
  file.set(group, "restitution_speed", method.restitution_speed);
  file.set(group, "nonlinear_iterations", std::int64_t{method.nonlinear_iterations});
  file.set(group, "nonlinear_tolerance", method.nonlinear_tolerance);
  file.write_texts("/scene/bodies", body_names(*scene.model));
  file.write_texts("/scene/joints", joint_names(*scene.model));
  file.write_texts("/scene/colliders", collider_names(*scene.model));
  file.write_texts("/scene/positions", position_names(*scene.model));
  file.write_texts("/scene/velocities", velocity_names(*scene.model));
  file.write_texts("/scene/position_units", position_units(*scene.model));
  file.write_texts("/scene/velocity_units", velocity_units(*scene.model));
  if (with_model) write_tree(file, model_place, stored::write_model(*scene.model));
  if (with_model && !scene.appearance.visuals.empty()) {
    write_tree(file, appearance_place, stored::write_appearance(scene.appearance));
  }
  write_tree(file, method_place, stored::write_method(method));
  write_tree(file, run_place, stored::write_run(stored::run_choices(scene)));
}

Scene read_scene(const Hdf5File& file, const Catalogue& catalogue) {
  Scene scene;
  scene.name = file.text(group, "name");
  scene.file = file.text(group, "file");
  if (file.has("/scene/text")) {
    const std::vector<std::string> text = file.read_texts("/scene/text");
    if (text.size() != 1) throw Error(file.path() + ": /scene/text does not hold one text");
    scene.text = text[0];
  }
  scene.duration = file.real(group, "duration");
  if (!std::isfinite(scene.duration)) {
    throw Error(file.path() + ": the record is damaged: the duration of its run is no number of seconds");
  }
  scene.catalogue = &catalogue;
  scene.model = stored::read_model(read_tree(file, model_place), file.path());
  scene.method = stored::read_method(read_tree(file, method_place), file.path(), catalogue);
  if (file.has(appearance_place.group) && file.integer(appearance_place.group, "version") == appearance_place.version) {
    scene.appearance = stored::read_appearance(read_tree(file, appearance_place), file.path(),
                                               scene.model->body_count(), scene.model->colliders().size());
  }
  scene.has_restitution = may_rebound(*scene.model);
  stored::give(stored::read_run(read_tree(file, run_place), file.path()), file.path(), scene);
  return scene;
}

void refuse_other_scene(const std::string& path, const Scene& recorded, const Scene& scene) {
  if (recorded.text != scene.text && !recorded.text.empty() && !scene.text.empty()) {
    throw Error(path + ": this record was made from another scene (" + recorded.file + "; the first difference from " +
                scene.file + " is in line " + std::to_string(line_of_difference(recorded.text, scene.text)) +
                "); resume it with its own scene, or write a new record");
  }
  const std::string different = differences(stored::json_value(stored::write_method(recorded.method).text),
                                            stored::json_value(stored::write_method(scene.method).text), "");
  if (!different.empty()) {
    throw Error(path + ": this record was made with " + different +
                "; resume it with the same method, or write a new record");
  }
  if (!are_the_same(stored::write_model(*recorded.model), stored::write_model(*scene.model))) {
    throw Error(path + ": this record was made with another model; resume it with its own, or write a new record");
  }
  const stored::RunChoices had = stored::run_choices(recorded), asked = stored::run_choices(scene);
  if (had.controller_of_program && !scene.feedback) static_cast<void>(recorded.controller());
  if (had.controller_of_program != asked.controller_of_program || !are_the_same(write_run(had), write_run(asked))) {
    throw Error(path +
                ": this record was made with another controller, other outputs or other choices of what is "
                "recorded; resume it with the same, or write a new record");
  }
}

void write_certificate(Hdf5File& file, const RunCertificate& certificate) {
  if (!file.has("/certificate")) file.make_group("/certificate");
  visit_fields(certificate, [&](const char* name, const auto& field) {
    using Field = std::decay_t<decltype(field)>;
    if constexpr (std::is_floating_point_v<Field>) {
      file.set("/certificate", name, field);
    } else if constexpr (std::is_same_v<Field, std::optional<double>>) {
      file.set("/certificate", name, number_or_nan(field));
    } else {
      file.set("/certificate", name, static_cast<std::int64_t>(field));
    }
  });
  file.set("/certificate", "worst_status", static_cast<std::int64_t>(certificate.worst_status));
}

RunCertificate read_certificate(const Hdf5File& file) {
  RunCertificate certificate;
  visit_fields(certificate, [&](const char* name, auto& field) {
    using Field = std::decay_t<decltype(field)>;
    if constexpr (std::is_floating_point_v<Field>) {
      field = file.real("/certificate", name);
    } else if constexpr (std::is_same_v<Field, std::optional<double>>) {
      field = known_number(file.real("/certificate", name));
    } else {
      field = static_cast<Field>(file.integer("/certificate", name));
    }
  });
  certificate.worst_status = static_cast<SolveStatus>(file.integer("/certificate", "worst_status"));
  return certificate;
}

void check_format(const Hdf5File& file) {
  std::int64_t format = 0;
  try {
    format = file.integer("/", "format");
    static_cast<void>(file.text(group, "name"));
  } catch (const Error&) {
    throw Error(file.path() + " is no record of Carom: this HDF5 file is not a record of a run");
  }
  if (format != record_format) {
    throw Error(file.path() + ": the record has format " + std::to_string(format) + "; this program reads format " +
                std::to_string(record_format));
  }
}

}  // namespace carom
