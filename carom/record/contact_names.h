#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "carom/model/contact_name.h"
#include "carom/model/model.h"
#include "carom/model/state.h"

namespace carom {

/// Who touches whom, as JSON says it (docs/manual/json.md, `events`), into an object.
void describe_contact(const Model& model, const ContactId& id, int body_a, int body_b, nlohmann::ordered_json& object);

/// Names of what touched what on a page of runs: pairs of shapes, limits of joints, ropes. Each has a number, in the
/// order in which they were first asked for.
class PairList {
 public:
  explicit PairList(const Model& model) : model_(model) {}

  /// Bodies as of ContactReport.
  std::size_t number(const ContactId& id, int body_a, int body_b);

  /// [{name, a, b, friction: [x, y], surface}]: bodies with −1 for the world, coefficients of what slides.
  nlohmann::ordered_json json() const;

 private:
  struct Pair {
    ContactId id;
    int body_a, body_b;
  };
  const Model& model_;
  std::map<ContactId, std::size_t> numbers_;
  std::vector<Pair> pairs_;
};

/// Appends a contact's position and its frame as a quaternion, 7 numbers.
void append_place(const Vec3& position, const Mat3& R_WC, std::vector<double>& numbers);

}  // namespace carom
