#include "carom/record/contact_names.h"

#include <nlohmann/json.hpp>

namespace carom {

void describe_contact(const Model& model, const ContactId& id, int body_a, int body_b, nlohmann::ordered_json& object) {
  object["bodies"] = {body_name(model, body_a), body_name(model, body_b)};
  if (id.is_limit()) {
    object[id.is_ratchet() ? "ratchet" : "limit"] = (id.feature == ContactId::lower     ? "lower"
                                                     : id.feature == ContactId::upper   ? "upper"
                                                     : id.feature == ContactId::forward ? "forward"
                                                                                        : "backward");
    object["coordinate"] = id.b;
  } else if (id.is_tendon()) {
    object["tendon"] = model.constraints()[static_cast<std::size_t>(id.b)].name;
    object["limit"] = id.feature == ContactId::lower ? "lower" : "upper";
  } else if (id.is_rope()) {
    object["rope"] = model.constraints()[static_cast<std::size_t>(id.b)].name;
  } else {
    const auto& colliders = model.colliders();
    object["colliders"] = {colliders[static_cast<std::size_t>(id.a)].name,
                           colliders[static_cast<std::size_t>(id.b)].name};
    object["feature"] = id.feature;
  }
}
std::size_t PairList::number(const ContactId& id, int body_a, int body_b) {
  ContactId key = id;
  if (id.is_surface()) key.feature = 0;
  const auto [place, is_new] = numbers_.try_emplace(key, pairs_.size());
  if (is_new) pairs_.push_back({key, body_a, body_b});
  return place->second;
}

nlohmann::ordered_json PairList::json() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Pair& pair : pairs_) {
    Vec2 friction = Vec2::Zero();
    if (pair.id.is_surface()) {
      const auto material = [&](int i) { return model_.colliders()[static_cast<std::size_t>(i)].material; };
      friction = model_.contact_material(material(pair.id.a), material(pair.id.b)).friction;
    }
    list.push_back({{"name", contact_name(model_, pair.id, pair.body_a, pair.body_b)},
                    {"a", pair.body_a},
                    {"b", pair.body_b},
                    {"friction", {friction.x(), friction.y()}},
                    {"surface", pair.id.is_surface()}});
  }
  return list;
}

void append_place(const Vec3& position, const Mat3& R_WC, std::vector<double>& numbers) {
  const Quaternion q(R_WC);
  numbers.insert(numbers.end(), {position.x(), position.y(), position.z(), q.w(), q.x(), q.y(), q.z()});
}

}  // namespace carom
