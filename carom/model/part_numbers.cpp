#include "carom/model/part_numbers.h"

#include <algorithm>
#include <string>

#include "carom/edit_distance.h"
#include "carom/error.h"
#include "carom/model/coordinate_names.h"

namespace carom {
namespace {

constexpr std::size_t most_listed = 12;

std::string what_there_is(const std::vector<std::string>& names, std::string_view wanted) {
  if (names.empty()) return "there are none";
  std::string text = "there are ";
  if (names.size() <= most_listed) {
    for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "'" : ", '") + names[i] + "'";
    return text;
  }
  const auto nearer = [&](const std::string& a, const std::string& b) {
    return edit_distance(a, wanted) < edit_distance(b, wanted);
  };
  const std::string& nearest = *std::min_element(names.begin(), names.end(), nearer);
  return text + std::to_string(names.size()) + " others, the nearest name being '" + nearest + "'";
}

int number_of(const std::vector<std::string>& names, std::string_view wanted, const char* kind) {
  int found = -1, count = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != wanted) continue;
    if (count == 0) found = static_cast<int>(i);
    ++count;
  }
  const std::string called = std::string(kind) + " called '" + std::string(wanted) + "'";
  if (count == 0) throw Error("there is no " + called + "; " + what_there_is(names, wanted));
  if (count > 1) {
    throw Error("there are " + std::to_string(count) + " parts of the kind " + called + "; use their numbers");
  }
  return found;
}

template <class Part>
std::vector<std::string> names_of(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  names.reserve(parts.size());
  for (const Part& part : parts) names.push_back(part.name);
  return names;
}

const Joint& joint_of(const Model& model, int joint) {
  if (joint >= 0 && joint < model.body_count()) return model.joints()[static_cast<std::size_t>(joint)];
  throw Error("there is no joint " + std::to_string(joint) + "; the model has joints 0 to " +
              std::to_string(model.body_count() - 1));
}

template <class AnyState>
auto position_entries(const Model& model, int joint, AnyState& state) {
  const Joint& entry = joint_of(model, joint);
  return state.q.segment(entry.q_index, position_size(entry));
}

template <class AnyState>
auto velocity_entries(const Model& model, int joint, AnyState& state) {
  const Joint& entry = joint_of(model, joint);
  return state.v.segment(entry.v_index, velocity_size(entry));
}

}  // namespace

int body_number(const Model& model, std::string_view name) {
  const std::vector<std::string> names = names_of(model.bodies());
  const bool is_world = name == "world" && std::find(names.begin(), names.end(), name) == names.end();
  return is_world ? -1 : number_of(names, name, "body");
}

int joint_number(const Model& model, std::string_view name) {
  std::vector<std::string> names;
  for (int body = 0; body < model.body_count(); ++body) {
    names.push_back(joint_name(model, static_cast<std::size_t>(body)));
  }
  return number_of(names, name, "joint");
}

int frame_number(const Model& model, std::string_view name) {
  return number_of(names_of(model.frames()), name, "frame");
}

int collider_number(const Model& model, std::string_view name) {
  return number_of(names_of(model.colliders()), name, "collider");
}

int constraint_number(const Model& model, std::string_view name) {
  return number_of(names_of(model.constraints()), name, "constraint");
}

int drive_number(const Model& model, std::string_view name) {
  return number_of(names_of(model.drives()), name, "drive");
}

State state_at_rest(const Model& model) {
  State state;
  state.q = model.neutral_position();
  state.v = VectorX::Zero(model.velocity_count());
  return state;
}

VectorX::SegmentReturnType joint_position(const Model& model, int joint, State& state) {
  return position_entries(model, joint, state);
}
VectorX::ConstSegmentReturnType joint_position(const Model& model, int joint, const State& state) {
  return position_entries(model, joint, state);
}
VectorX::SegmentReturnType joint_velocity(const Model& model, int joint, State& state) {
  return velocity_entries(model, joint, state);
}
VectorX::ConstSegmentReturnType joint_velocity(const Model& model, int joint, const State& state) {
  return velocity_entries(model, joint, state);
}

}  // namespace carom
