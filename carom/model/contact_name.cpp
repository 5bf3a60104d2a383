#include "carom/model/contact_name.h"

namespace carom {
namespace {

/// A shape by its body, and by its own name where the body has several.
std::string collider_name(const Model& model, int collider) {
  const Collider& shape = model.colliders()[static_cast<std::size_t>(collider)];
  int on_body = 0;
  for (const Collider& other : model.colliders()) on_body += other.body == shape.body ? 1 : 0;
  std::string name = body_name(model, shape.body);
  if (on_body == 1 || shape.name.empty()) return name;
  return shape.name.rfind(name, 0) == 0 ? shape.name : name + " / " + shape.name;  // scenes name a shape BODY/SHAPE
}

}  // namespace

std::string body_name(const Model& model, int body) {
  return body < 0 ? "world" : model.bodies()[static_cast<std::size_t>(body)].name;
}

std::string contact_name(const Model& model, const ContactId& id, int body_a, int body_b) {
  if (id.is_surface()) return collider_name(model, id.a) + " – " + collider_name(model, id.b);
  if (id.is_rope()) return "rope of " + body_name(model, body_a) + " and " + body_name(model, body_b);
  if (id.is_tendon()) {
    return "tendon " + model.constraints()[static_cast<std::size_t>(id.b)].name + ", " + limit_name(id);
  }
  return body_name(model, body_a) + ", " + limit_name(id);
}

}  // namespace carom
