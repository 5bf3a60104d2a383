#pragma once

#include <string>
#include <variant>

#include "carom/error.h"
#include "carom/model/part_numbers.h"

// Parts by name or by number.
namespace carom::python {

using Part = std::variant<std::string, int>;

/// `least`: −1 where the world is meant as well.
inline int number_of(const Part& part, const Model& model, int (*of_name)(const Model&, std::string_view),
                     std::size_t count, int least, const char* kind) {
  if (const auto* name = std::get_if<std::string>(&part)) return of_name(model, *name);
  const int number = std::get<int>(part);
  if (number < least || number >= static_cast<int>(count)) {
    throw Error("there is no " + std::string(kind) + " " + std::to_string(number) + "; numbers go from " +
                std::to_string(least) + " to " + std::to_string(static_cast<int>(count) - 1));
  }
  return number;
}

inline int body_of(const Model& model, const Part& part) {
  return number_of(part, model, body_number, model.bodies().size(), -1, "body");
}
inline int joint_of(const Model& model, const Part& part) {
  return number_of(part, model, joint_number, model.joints().size(), 0, "joint");
}
inline int frame_of(const Model& model, const Part& part) {
  return number_of(part, model, frame_number, model.frames().size(), 0, "frame");
}

}  // namespace carom::python
