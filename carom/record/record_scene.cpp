#include <cmath>
#include <sstream>

#include "carom/record/certificate_fields.h"
#include "carom/record/part_names.h"
#include "carom/record/record_file.h"
#include "carom/record/record_layout.h"
#include "carom/version.h"

namespace carom {
namespace {

constexpr const char* group = "/scene";

std::int64_t line_of_difference(const std::string& a, const std::string& b) {
  std::int64_t line = 1;
  for (std::size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) line += a[i] == '\n';
  return line;
}

/// One choice of the method, as text: a name or a number that reads back as the same double.
struct MethodEntry {
  const char* name;
  std::string value;
};

std::vector<MethodEntry> method_entries(const Method& method) {
  const auto number = [](double value) {
    std::ostringstream text;
    text.precision(17);
    text << value;
    return text.str();
  };
  return {{"stepper", stepper_name(method.stepper)},
          {"law", law_name(method.law)},
          {"dynamics", dynamics_name(method.dynamics)},
          {"form", form_name(method.form)},
          {"cone", cone_name(method.cone)},
          {"gyroscopic", gyroscopic_name(method.gyroscopic)},
          {"step", number(method.step)},
          {"directions", std::to_string(method.generators())},
          {"restitution_speed", number(method.restitution_speed)},
          {"nonlinear_iterations", std::to_string(method.nonlinear_iterations)},
          {"nonlinear_tolerance", number(method.nonlinear_tolerance)}};
}

}  // namespace

void write_scene(Hdf5File& file, const Scene& scene) {
  file.set("/", "format", record_format);
  file.set("/", "version", std::string(CAROM_VERSION));
  file.make_group(group);
  file.write_texts("/scene/text", {scene.text});
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
}

Scene read_scene(const Hdf5File& file, const Catalogue& catalogue) {
  const std::vector<std::string> text = file.read_texts("/scene/text");
  if (text.size() != 1) throw Error(file.path() + ": /scene/text does not hold one text");
  SceneOverrides overrides;
  overrides.catalogue = &catalogue;
  overrides.stepper = catalogue.stepper(file.text(group, "stepper"));
  overrides.law = catalogue.law(file.text(group, "law"));
  overrides.dynamics = parse_dynamics(file.text(group, "dynamics"));
  overrides.cone = parse_cone(file.text(group, "cone"));
  overrides.step = file.real(group, "step");
  overrides.duration = file.real(group, "duration");
  Scene scene = parse_scene(text[0], file.text(group, "file"), overrides);
  scene.name = file.text(group, "name");
  Method& method = scene.method;
  method.form = parse_form(file.text(group, "form"));
  method.gyroscopic = parse_gyroscopic(file.text(group, "gyroscopic"));
  method.directions = static_cast<int>(file.integer(group, "directions"));
  method.restitution_speed = file.real(group, "restitution_speed");
  method.nonlinear_iterations = static_cast<int>(file.integer(group, "nonlinear_iterations"));
  method.nonlinear_tolerance = file.real(group, "nonlinear_tolerance");
  return scene;
}

void refuse_other_scene(const std::string& path, const Scene& recorded, const Scene& scene) {
  if (recorded.text != scene.text) {
    throw Error(path + ": this record was made from another scene (" + recorded.file + "; the first difference from " +
                scene.file + " is in line " + std::to_string(line_of_difference(recorded.text, scene.text)) +
                "); resume it with its own scene, or write a new record");
  }
  const std::vector<MethodEntry> had = method_entries(recorded.method), asked = method_entries(scene.method);
  std::string differences;
  for (std::size_t i = 0; i < had.size(); ++i) {
    if (had[i].value == asked[i].value) continue;
    differences += (differences.empty() ? "" : ", ") + std::string(had[i].name) + " " + had[i].value + " and not " +
                   asked[i].value;
  }
  if (!differences.empty()) {
    throw Error(path + ": this record was made with " + differences +
                "; resume it with the same method, or write a new record");
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
    file.read_texts("/scene/text");
  } catch (const Error&) {
    throw Error(file.path() + ": this HDF5 file is not a record of a run");
  }
  if (format != record_format) {
    throw Error(file.path() + ": the record has format " + std::to_string(format) + "; this program reads format " +
                std::to_string(record_format));
  }
}

}  // namespace carom
