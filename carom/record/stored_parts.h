#pragma once

#include "carom/record/stored_shapes.h"

// Field lists of a model's parts.
namespace carom::stored {

template <Same<Body> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [name, inertia] = part;
  f("name", name);
  f("inertia", inertia);
}
template <Same<Collider> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [name, body, shape, X_BS, material, groups, collides_with, named_groups, named_partners, friction_axis,
         restitution_change] = part;
  f("name", name);
  f("body", body);
  f("shape", shape);
  f("X_BS", X_BS);
  f("material", material);
  f("groups", groups);
  f("collides_with", collides_with);
  f("named_groups", named_groups);
  f("named_partners", named_partners);
  f("friction_axis", friction_axis);
  f("restitution_change", restitution_change);
}
template <Same<NamedFrame> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [name, body, X_BF] = part;
  f("name", name);
  f("body", body);
  f("X_BF", X_BF);
}
template <Same<Joint> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [name, type, parent, X_PF, X_BM, pitch, twists, lower, upper, limit_restitution, ratchet, damping, stiffness,
         rest, friction, reflected_inertia, effort, q_index, v_index] = part;
  f("name", name);
  f("type", type);
  f("parent", parent);
  f("X_PF", X_PF);
  f("X_BM", X_BM);
  f("pitch", pitch);
  f("twists", twists);
  f("lower", lower);
  f("upper", upper);
  f("limit_restitution", limit_restitution);
  f("ratchet", ratchet);
  f("damping", damping);
  f("stiffness", stiffness);
  f("rest", rest);
  f("friction", friction);
  f("reflected_inertia", reflected_inertia);
  f("effort", effort);
  static_cast<void>(q_index);
  static_cast<void>(v_index);
}
template <Same<Sinusoid> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [amplitude, frequency, phase] = part;
  f("amplitude", amplitude);
  f("frequency", frequency);
  f("phase", phase);
}
template <Same<TimeFunction> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [polynomial, sinusoids, times, values] = part;
  f("polynomial", polynomial);
  f("sinusoids", sinusoids);
  f("times", times);
  f("values", values);
}
template <Same<FramePath> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [position, axis, angle, moves] = part;
  f("position", position);
  f("axis", axis);
  f("angle", angle);
  f("moves", moves);
}
template <Same<CoordinateShare> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [body, coordinate, ratio] = part;
  f("body", body);
  f("coordinate", coordinate);
  f("ratio", ratio);
}
template <Same<Constraint> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [name, kind, body_a, body_b, X_AF, X_BG, path, length, radius, restitution, coordinate_a, shares, offset, lower,
         upper, target, stiffness, damping, side] = part;
  f("name", name);
  f("kind", kind);
  f("body_a", body_a);
  f("body_b", body_b);
  f("X_AF", X_AF);
  f("X_BG", X_BG);
  f("path", path);
  f("length", length);
  f("radius", radius);
  f("restitution", restitution);
  f("coordinate_a", coordinate_a);
  f("shares", shares);
  f("offset", offset);
  f("lower", lower);
  f("upper", upper);
  f("target", target);
  f("stiffness", stiffness);
  f("damping", damping);
  f("side", side);
}
template <Same<Drive> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [name, kind, body, coordinate, value, stiffness, damping, limit, ratio, others] = part;
  f("name", name);
  f("kind", kind);
  f("body", body);
  f("coordinate", coordinate);
  f("value", value);
  f("stiffness", stiffness);
  f("damping", damping);
  f("limit", limit);
  f("ratio", ratio);
  f("others", others);
}
template <Same<AppliedWrench> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [name, body, point, force, torque, turns_with_body, scale] = part;
  f("name", name);
  f("body", body);
  f("point", point);
  f("force", force);
  f("torque", torque);
  f("turns_with_body", turns_with_body);
  f("scale", scale);
}
template <Same<ConstantRestitution> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [e] = part;
  f("e", e);
}
template <Same<CaptureRestitution> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [capture, plastic, minimum] = part;
  f("capture", capture);
  f("plastic", plastic);
  f("minimum", minimum);
}
template <Same<LineRestitution> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [slope] = part;
  f("slope", slope);
}
template <Same<TableRestitution> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [points] = part;
  f("points", points);
}
template <Same<Layer> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [kind, stiffness, damping, dissipation, exponent, thickness, sideways, patch_spacing] = part;
  f("kind", kind);
  f("stiffness", stiffness);
  f("damping", damping);
  f("dissipation", dissipation);
  f("exponent", exponent);
  f("thickness", thickness);
  f("sideways", sideways);
  f("patch_spacing", patch_spacing);
}
template <Same<TangentialSpring> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [stiffness, restitution] = part;
  f("stiffness", stiffness);
  f("restitution", restitution);
}
template <Same<RestitutionChange> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [along, points] = part;
  f("along", along);
  f("points", points);
}
template <Same<Material> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [name, friction, restitution, static_friction, impact_friction, viscous_friction, youngs_modulus, poisson_ratio,
         dissipation, contact_radius, torsional_friction, layer, impact_friction_slope, tangential_spring] = part;
  f("name", name);
  f("friction", friction);
  f("restitution", restitution);
  f("static_friction", static_friction);
  f("impact_friction", impact_friction);
  f("viscous_friction", viscous_friction);
  f("youngs_modulus", youngs_modulus);
  f("poisson_ratio", poisson_ratio);
  f("dissipation", dissipation);
  f("contact_radius", contact_radius);
  f("torsional_friction", torsional_friction);
  f("layer", layer);
  f("impact_friction_slope", impact_friction_slope);
  f("tangential_spring", tangential_spring);
}
template <Same<NamedPair> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [friction, restitution, static_friction, impact_friction, viscous_friction, torsional_friction,
         impact_friction_slope, tangential_spring] = part;
  f("friction", friction);
  f("restitution", restitution);
  f("static_friction", static_friction);
  f("impact_friction", impact_friction);
  f("viscous_friction", viscous_friction);
  f("torsional_friction", torsional_friction);
  f("impact_friction_slope", impact_friction_slope);
  f("tangential_spring", tangential_spring);
}
template <Same<MaterialPair> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [a, b, together] = part;
  f("a", a);
  f("b", b);
  f("together", together);
}
template <Same<Sensor> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [name, kind, body, X_BS, constraint, colliders] = part;
  f("name", name);
  f("kind", kind);
  f("body", body);
  f("X_BS", X_BS);
  f("constraint", constraint);
  f("colliders", colliders);
}

template <>
inline constexpr std::array kinds<Restitution>{"constant", "capture", "line", "table"};

}  // namespace carom::stored
