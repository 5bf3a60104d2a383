#include <variant>

#include "bindings.h"
#include "carom/model/model.h"
#include "words.h"

// Parts that a ModelBuilder takes, and that a Model gives copies of.
namespace carom::python {
namespace {

/// A coefficient for both directions along a surface, or one for each.
using Friction = std::variant<double, Vec2>;

Vec2 both(const Friction& friction) {
  if (const auto* one = std::get_if<double>(&friction)) return Vec2::Constant(*one);
  return std::get<Vec2>(friction);
}
std::optional<Vec2> both(const std::optional<Friction>& friction) {
  if (!friction) return std::nullopt;
  return both(*friction);
}

/// A time function, or a number that does not change.
TimeFunction over_time(const std::variant<double, TimeFunction>& value) {
  if (const auto* one = std::get_if<double>(&value)) return TimeFunction::constant(*one);
  return std::get<TimeFunction>(value);
}

void bind_restitution(py::module_& module) {
  py::class_<ConstantRestitution>(module, "ConstantRestitution", "The same at every speed, 0 to 1. A number is one.")
      .def(py::init<double>(), py::arg("coefficient"))
      .def_readwrite("e", &ConstantRestitution::e);
  py::implicitly_convertible<py::float_, ConstantRestitution>();
  py::implicitly_convertible<py::int_, ConstantRestitution>();
  py::class_<CaptureRestitution>(module, "CaptureRestitution",
                                 "0 below approach `capture`, `minimum` from `plastic` on (m/s), a line between.")
      .def(py::init([](double capture, double plastic, double minimum) {
             return CaptureRestitution{capture, plastic, minimum};
           }),
           py::arg("capture"), py::arg("plastic"), py::arg("minimum"))
      .def_readwrite("capture", &CaptureRestitution::capture, "m/s")
      .def_readwrite("plastic", &CaptureRestitution::plastic, "m/s")
      .def_readwrite("minimum", &CaptureRestitution::minimum);
  py::class_<LineRestitution>(module, "LineRestitution", "e = max(0, 1 − slope s), s the approach; slope: s/m.")
      .def(py::init([](double slope) { return LineRestitution{slope}; }), py::arg("slope"))
      .def_readwrite("slope", &LineRestitution::slope, "s/m");
  py::class_<TableRestitution>(module, "TableRestitution",
                               "Lines between (approach speed in m/s, coefficient) pairs, constant beyond.")
      .def(py::init([](std::vector<std::pair<double, double>> points) { return TableRestitution{std::move(points)}; }),
           py::arg("points"))
      .def_readwrite("points", &TableRestitution::points);
}

void bind_surfaces(py::module_& module) {
  py::class_<Layer>(module, "Layer",
                    "Compliant layer on a rigid core; rows and columns x, y along the surface, z the normal.")
      .def(py::init([](LayerKind kind, const Mat3& stiffness, const Mat3& damping, double dissipation, double exponent,
                       double thickness, bool sideways, double patch_spacing) {
             return Layer{kind, stiffness, damping, dissipation, exponent, thickness, sideways, patch_spacing};
           }),
           py::arg("kind") = LayerKind::kelvin_voigt, py::arg("stiffness") = Mat3(Mat3::Zero()),
           py::arg("damping") = Mat3(Mat3::Zero()), py::arg("dissipation") = 0.0, py::arg("exponent") = 1.5,
           py::arg("thickness") = Layer().thickness, py::arg("sideways") = false, py::arg("patch_spacing") = 0.0)
      .def_readwrite("kind", &Layer::kind, "kelvin-voigt, hertz or hunt-crossley")
      .def_readwrite("stiffness", &Layer::stiffness, "(3, 3) N/m (zz N/m^exponent of hertz, hunt-crossley)")
      .def_readwrite("damping", &Layer::damping, "(3, 3) N s/m")
      .def_readwrite("dissipation", &Layer::dissipation, "of hunt-crossley, s/m")
      .def_readwrite("exponent", &Layer::exponent, "of hertz and hunt-crossley, ≥ 1")
      .def_readwrite("thickness", &Layer::thickness, "deflection at which the core is reached, m")
      .def_readwrite("sideways", &Layer::sideways, "gives way along the surface too")
      .def_readwrite("patch_spacing", &Layer::patch_spacing, "of elements over a patch, m; 0: per contact point");
  py::class_<TangentialSpring>(module, "TangentialSpring",
                               "Elasticity along the surface in an impact, behind Coulomb's slider.")
      .def(py::init([](double stiffness, double restitution) {
             return TangentialSpring{stiffness, restitution};
           }),
           py::arg("stiffness") = TangentialSpring().stiffness, py::arg("restitution") = 1.0)
      .def_readwrite("stiffness", &TangentialSpring::stiffness, "over that of the normal")
      .def_readwrite("restitution", &TangentialSpring::restitution, "its square is the share that is given back");
  const Material plain;
  py::class_<Material>(module, "Material", "A surface's part in friction, restitution and elasticity.")
      .def(py::init([](std::string name, const Friction& friction, Restitution restitution,
                       const std::optional<Friction>& static_friction, const std::optional<Friction>& impact_friction,
                       double viscous_friction, double youngs_modulus, double poisson_ratio, double dissipation,
                       double contact_radius, double torsional_friction, std::optional<Layer> layer,
                       double impact_friction_slope, std::optional<TangentialSpring> tangential_spring) {
             return Material{std::move(name),       both(friction),   std::move(restitution), both(static_friction),
                             both(impact_friction), viscous_friction, youngs_modulus,         poisson_ratio,
                             dissipation,           contact_radius,   torsional_friction,     std::move(layer),
                             impact_friction_slope, tangential_spring};
           }),
           py::arg("name") = "", py::arg("friction") = 0.0, py::arg("restitution") = ConstantRestitution(0),
           py::arg("static_friction") = py::none(), py::arg("impact_friction") = py::none(),
           py::arg("viscous_friction") = 0.0, py::arg("youngs_modulus") = 0.0,
           py::arg("poisson_ratio") = plain.poisson_ratio, py::arg("dissipation") = 0.0,
           py::arg("contact_radius") = plain.contact_radius, py::arg("torsional_friction") = 0.0,
           py::arg("layer") = py::none(), py::arg("impact_friction_slope") = 0.0,
           py::arg("tangential_spring") = py::none())
      .def_readwrite("name", &Material::name)
      .def_property_readonly(
          "friction", [](const Material& m) { return m.friction; },
          "(2,) of what slides, along the contact frame's x and y")
      .def_readwrite("restitution", &Material::restitution)
      .def_property_readonly(
          "static_friction", [](const Material& m) { return m.static_friction; }, "(2,) or None")
      .def_property_readonly(
          "impact_friction", [](const Material& m) { return m.impact_friction; }, "(2,) or None")
      .def_readwrite("viscous_friction", &Material::viscous_friction, "per unit normal force, s/m")
      .def_readwrite("youngs_modulus", &Material::youngs_modulus, "Pa; 0: not given")
      .def_readwrite("poisson_ratio", &Material::poisson_ratio)
      .def_readwrite("dissipation", &Material::dissipation, "of Hunt and Crossley, s/m")
      .def_readwrite("contact_radius", &Material::contact_radius, "of corners and faces in Hertz's law, m")
      .def_readwrite("torsional_friction", &Material::torsional_friction, "moment per unit normal force, m")
      .def_readwrite("layer", &Material::layer)
      .def_readwrite("impact_friction_slope", &Material::impact_friction_slope, "of the approach speed, s/m")
      .def_readwrite("tangential_spring", &Material::tangential_spring);
  py::class_<NamedPair>(module, "NamedPair", "Friction and restitution of two materials, or two colliders, together.")
      .def(py::init([](const Friction& friction, Restitution restitution,
                       const std::optional<Friction>& static_friction, const std::optional<Friction>& impact_friction,
                       double viscous_friction, double torsional_friction, double impact_friction_slope,
                       std::optional<TangentialSpring> tangential_spring) {
             return NamedPair{both(friction),   std::move(restitution), both(static_friction), both(impact_friction),
                              viscous_friction, torsional_friction,     impact_friction_slope, tangential_spring};
           }),
           py::arg("friction") = 0.0, py::arg("restitution") = ConstantRestitution(0),
           py::arg("static_friction") = py::none(), py::arg("impact_friction") = py::none(),
           py::arg("viscous_friction") = 0.0, py::arg("torsional_friction") = 0.0,
           py::arg("impact_friction_slope") = 0.0, py::arg("tangential_spring") = py::none())
      .def_property_readonly(
          "friction", [](const NamedPair& pair) { return pair.friction; }, "(2,)")
      .def_readwrite("restitution", &NamedPair::restitution);
}

void bind_bodies(py::module_& module) {
  py::class_<Body>(module, "Body", "A rigid link. Body i of a model hangs on joint i.")
      .def_readonly("name", &Body::name)
      .def_readonly("inertia", &Body::inertia, "SpatialInertia in the body frame");
  const Joint plain;
  py::class_<Joint>(
      module, "Joint",
      "Joint between frame F on the parent and frame M on the child.\n\n"
      "type: fixed, revolute (about z), prismatic (along z), screw, cylindrical, universal, slot, planar, "
      "twists, spherical, free. parent: a body's number, −1 the world. X_PF, X_BM: F on the parent, M on "
      "the child. Vectors have an entry for each velocity coordinate, rad or m; empty: none.")
      .def(py::init([](std::string name, JointType type, int parent, const Transform& X_PF, const Transform& X_BM,
                       double pitch, const Eigen::Matrix<double, 6, Eigen::Dynamic>& twists, const VectorX& lower,
                       const VectorX& upper, const VectorX& limit_restitution, const std::vector<Ratchet>& ratchet,
                       const VectorX& damping, const VectorX& stiffness, const VectorX& rest, const VectorX& friction,
                       const VectorX& reflected_inertia, const VectorX& effort) {
             Joint joint;
             joint.name = std::move(name);
             joint.type = type;
             joint.parent = parent;
             joint.X_PF = X_PF;
             joint.X_BM = X_BM;
             joint.pitch = pitch;
             joint.twists = twists;
             joint.lower = lower;
             joint.upper = upper;
             joint.limit_restitution = limit_restitution;
             joint.ratchet = ratchet;
             joint.damping = damping;
             joint.stiffness = stiffness;
             joint.rest = rest;
             joint.friction = friction;
             joint.reflected_inertia = reflected_inertia;
             joint.effort = effort;
             return joint;
           }),
           py::arg("name") = "", py::arg("type") = JointType::free, py::arg("parent") = -1,
           py::arg("X_PF") = Transform(), py::arg("X_BM") = Transform(), py::arg("pitch") = 0.0,
           py::arg("twists") = Eigen::Matrix<double, 6, Eigen::Dynamic>(6, 0), py::arg("lower") = VectorX(),
           py::arg("upper") = VectorX(), py::arg("limit_restitution") = VectorX(),
           py::arg("ratchet") = std::vector<Ratchet>(), py::arg("damping") = VectorX(),
           py::arg("stiffness") = VectorX(), py::arg("rest") = VectorX(), py::arg("friction") = VectorX(),
           py::arg("reflected_inertia") = VectorX(), py::arg("effort") = VectorX())
      .def_readwrite("name", &Joint::name)
      .def_readwrite("type", &Joint::type)
      .def_readwrite("parent", &Joint::parent, "body number, −1 for the world")
      .def_readwrite("X_PF", &Joint::X_PF, "joint frame on the parent")
      .def_readwrite("X_BM", &Joint::X_BM, "joint frame on the child")
      .def_readwrite("pitch", &Joint::pitch, "of a screw, m per rad")
      .def_property_readonly(
          "lower", [](const Joint& j) { return j.lower; }, "limits of q, rad or m; a copy")
      .def_property_readonly(
          "upper", [](const Joint& j) { return j.upper; }, "limits of q, rad or m; a copy")
      .def_property_readonly(
          "damping", [](const Joint& j) { return j.damping; }, "N m s/rad or N s/m; a copy")
      .def_property_readonly(
          "stiffness", [](const Joint& j) { return j.stiffness; }, "N m/rad or N/m; a copy")
      .def_property_readonly(
          "rest", [](const Joint& j) { return j.rest; }, "rad or m; of a rotation its rotation vector; a copy")
      .def_property_readonly(
          "friction", [](const Joint& j) { return j.friction; }, "N m or N; a copy")
      .def_property_readonly(
          "reflected_inertia", [](const Joint& j) { return j.reflected_inertia; }, "kg m² or kg; a copy")
      .def_property_readonly(
          "effort", [](const Joint& j) { return j.effort; }, "N m or N; a copy")
      .def_readonly("q_index", &Joint::q_index, "where its coordinates start in q")
      .def_readonly("v_index", &Joint::v_index, "where its velocities start in v")
      .def_property_readonly("position_size", &position_size, "entries of q")
      .def_property_readonly("velocity_size", &velocity_size, "entries of v");
}

void bind_fixed(py::module_& module) {
  py::class_<RestitutionChange>(module, "RestitutionChange",
                                "What a place on a shape adds to the restitution, by its coordinate along a direction.")
      .def(py::init([](const Vec3& along, std::vector<std::pair<double, double>> points) {
             return RestitutionChange{along.normalized(), std::move(points)};
           }),
           py::arg("along") = Vec3(Vec3::UnitX()), py::arg("points") = std::vector<std::pair<double, double>>{})
      .def_readwrite("along", &RestitutionChange::along, "(3,) a unit vector of the shape's frame")
      .def_readwrite("points", &RestitutionChange::points, "pairs of a coordinate, m, and a change");
  py::class_<Collider>(module, "Collider", "A shape fixed to a body or to the world (−1); X_BS: its frame there.")
      .def(py::init([](std::string name, int body, Shape shape, const Transform& X_BS, int material,
                       std::uint32_t groups, std::uint32_t collides_with, std::optional<Vec3> friction_axis,
                       std::optional<RestitutionChange> restitution_change) {
             Collider collider;
             collider.name = std::move(name);
             collider.body = body;
             collider.shape = std::move(shape);
             collider.X_BS = X_BS;
             collider.material = material;
             collider.groups = groups;
             collider.collides_with = collides_with;
             collider.friction_axis = friction_axis;
             collider.restitution_change = std::move(restitution_change);
             return collider;
           }),
           py::arg("name") = "", py::arg("body") = -1, py::arg("shape") = Sphere(), py::arg("X_BS") = Transform(),
           py::arg("material") = 0, py::arg("groups") = 1u, py::arg("collides_with") = 0xffffffffu,
           py::arg("friction_axis") = py::none(), py::arg("restitution_change") = py::none())
      .def_readwrite("name", &Collider::name)
      .def_readwrite("body", &Collider::body, "body number, −1 for the world")
      .def_readwrite("shape", &Collider::shape)
      .def_readwrite("X_BS", &Collider::X_BS, "shape frame on the body")
      .def_readwrite("restitution_change", &Collider::restitution_change)
      .def_readwrite("material", &Collider::material, "number in Model.materials()");
  py::class_<NamedFrame>(module, "NamedFrame", "A name for a place on a body, or in the world (−1).")
      .def(py::init([](std::string name, int body, const Transform& X_BF) {
             return NamedFrame{std::move(name), body, X_BF};
           }),
           py::arg("name"), py::arg("body") = -1, py::arg("X_BF") = Transform())
      .def_readwrite("name", &NamedFrame::name)
      .def_readwrite("body", &NamedFrame::body, "body number, −1 for the world")
      .def_readwrite("X_BF", &NamedFrame::X_BF, "frame on the body");
  py::class_<Sensor>(module, "Sensor", "kind: imu, force_torque or contact.")
      .def(py::init([](std::string name, SensorKind kind, int body, const Transform& X_BS, int constraint,
                       std::vector<int> colliders) {
             return Sensor{std::move(name), kind, body, X_BS, constraint, std::move(colliders)};
           }),
           py::arg("name"), py::arg("kind") = SensorKind::imu, py::arg("body") = -1, py::arg("X_BS") = Transform(),
           py::arg("constraint") = -1, py::arg("colliders") = std::vector<int>())
      .def_readwrite("name", &Sensor::name)
      .def_readwrite("kind", &Sensor::kind)
      .def_readwrite("body", &Sensor::body, "body number, −1 for the world")
      .def_readwrite("X_BS", &Sensor::X_BS, "sensor frame on the body");
}

void bind_forces(py::module_& module) {
  py::class_<Sinusoid>(module, "Sinusoid", "amplitude · sin(2π frequency t + phase); Hz, rad.")
      .def(py::init([](double amplitude, double frequency, double phase) {
             return Sinusoid{amplitude, frequency, phase};
           }),
           py::arg("amplitude"), py::arg("frequency"), py::arg("phase") = 0.0)
      .def_readwrite("amplitude", &Sinusoid::amplitude)
      .def_readwrite("frequency", &Sinusoid::frequency, "Hz")
      .def_readwrite("phase", &Sinusoid::phase, "rad");
  py::class_<CoordinateShare>(module, "CoordinateShare",
                              "ratio times a coordinate of a body's inboard joint, in a sum of several.")
      .def(py::init([](int body, int coordinate, double ratio) {
             return CoordinateShare{body, coordinate, ratio};
           }),
           py::arg("body"), py::arg("coordinate") = 0, py::arg("ratio") = 1.0)
      .def_readwrite("body", &CoordinateShare::body)
      .def_readwrite("coordinate", &CoordinateShare::coordinate)
      .def_readwrite("ratio", &CoordinateShare::ratio);
  py::class_<TimeFunction>(module, "TimeFunction",
                           "Sum of a polynomial in t, sinusoids, and a table (times, values); any may be missing; s.")
      .def(py::init([](std::vector<double> polynomial, std::vector<Sinusoid> sinusoids, std::vector<double> times,
                       std::vector<double> values) {
             return TimeFunction{std::move(polynomial), std::move(sinusoids), std::move(times), std::move(values)};
           }),
           py::arg("polynomial") = std::vector<double>(), py::arg("sinusoids") = std::vector<Sinusoid>(),
           py::arg("times") = std::vector<double>(), py::arg("values") = std::vector<double>())
      .def("at", &TimeFunction::at, py::arg("t"), "Value at t, s.")
      .def("rate", &TimeFunction::rate, py::arg("t"), "d/dt at t, s.");
  using Value = std::variant<double, TimeFunction>;
  py::class_<Drive>(
      module, "Drive",
      "Acts on one coordinate of a body's joint, or on ratio times it and a sum of others. kind force: τ = "
      "value(t), N m or N; servo: PD towards value(t), rad or m, held to ±limit.")
      .def(py::init([](std::string name, DriveKind kind, int body, int coordinate, const Value& value, double stiffness,
                       double damping, double limit, double ratio, std::vector<CoordinateShare> others) {
             return Drive{std::move(name), kind,    body,  coordinate, over_time(value),
                          stiffness,       damping, limit, ratio,      std::move(others)};
           }),
           py::arg("name") = "", py::arg("kind") = DriveKind::force, py::arg("body") = -1, py::arg("coordinate") = 0,
           py::arg("value") = 0.0, py::arg("stiffness") = 0.0, py::arg("damping") = 0.0,
           py::arg("limit") = Drive().limit, py::arg("ratio") = 1.0, py::arg("others") = std::vector<CoordinateShare>())
      .def_readwrite("name", &Drive::name)
      .def_readwrite("kind", &Drive::kind)
      .def_readwrite("body", &Drive::body, "whose inboard joint is driven")
      .def_readwrite("coordinate", &Drive::coordinate)
      .def_readwrite("value", &Drive::value, "N m, N, rad or m")
      .def_readwrite("stiffness", &Drive::stiffness, "N m/rad or N/m")
      .def_readwrite("damping", &Drive::damping, "N m s/rad or N s/m")
      .def_readwrite("limit", &Drive::limit, "N m or N")
      .def_readwrite("ratio", &Drive::ratio, "of its coordinate in the sum")
      .def_readwrite("others", &Drive::others, "in the sum");
  py::class_<AppliedWrench>(module, "AppliedWrench",
                            "scale(t) times a force (N) at a point of a body (body frame, m) and a torque (N m).")
      .def(py::init([](std::string name, int body, const Vec3& point, const Vec3& force, const Vec3& torque,
                       bool turns_with_body, const Value& scale) {
             return AppliedWrench{std::move(name), body, point, force, torque, turns_with_body, over_time(scale)};
           }),
           py::arg("name") = "", py::arg("body") = -1, py::arg("point") = Vec3(Vec3::Zero()),
           py::arg("force") = Vec3(Vec3::Zero()), py::arg("torque") = Vec3(Vec3::Zero()),
           py::arg("turns_with_body") = false, py::arg("scale") = 1.0)
      .def_readwrite("name", &AppliedWrench::name)
      .def_readwrite("body", &AppliedWrench::body);
  py::class_<FramePath>(module, "FramePath",
                        "The place of a frame that moves, relative to its place at rest; m and rad.")
      .def(
          py::init([](const std::array<Value, 3>& position, const Vec3& axis, const Value& angle) {
            return FramePath{
                {over_time(position[0]), over_time(position[1]), over_time(position[2])}, axis, over_time(angle), true};
          }),
          py::arg("position") = std::array<Value, 3>{0.0, 0.0, 0.0}, py::arg("axis") = Vec3(Vec3::UnitZ()),
          py::arg("angle") = 0.0);
  py::class_<Constraint>(
      module, "Constraint",
      "Closes a loop, couples coordinates, bounds a sum of them, prescribes a motion, lets a body roll, or is a spring "
      "between two points. kind: ball, weld, hinge, rod, point_on_plane, coupler, motion, rope, tendon, blade, "
      "rolling, spring, as scene files spell them; bodies: numbers, −1 the world; F fixed in a, G "
      "in b. A coupler holds q_a = Σ ratio q + offset over its shares, a tendon lower ≤ Σ ratio q ≤ upper. A spring "
      "pulls by stiffness (distance − length) + damping d distance/dt; side: both, pull or push.")
      .def(py::init([](std::string name, ConstraintKind kind, int body_a, int body_b, const Transform& X_AF,
                       const Transform& X_BG, const std::optional<FramePath>& path, double length, double radius,
                       double restitution, int coordinate_a, std::vector<CoordinateShare> shares, double offset,
                       double lower, double upper, const Value& target, double stiffness, double damping,
                       SpringSide side) {
             return Constraint{std::move(name),
                               kind,
                               body_a,
                               body_b,
                               X_AF,
                               X_BG,
                               path.value_or(FramePath()),
                               length,
                               radius,
                               restitution,
                               coordinate_a,
                               std::move(shares),
                               offset,
                               lower,
                               upper,
                               over_time(target),
                               stiffness,
                               damping,
                               side};
           }),
           py::arg("name") = "", py::arg("kind") = ConstraintKind::ball, py::arg("body_a") = -1, py::arg("body_b") = -1,
           py::arg("X_AF") = Transform(), py::arg("X_BG") = Transform(), py::arg("path") = py::none(),
           py::arg("length") = 0.0, py::arg("radius") = 0.0, py::arg("restitution") = 0.0, py::arg("coordinate_a") = 0,
           py::arg("shares") = std::vector<CoordinateShare>(), py::arg("offset") = 0.0,
           py::arg("lower") = Constraint().lower, py::arg("upper") = Constraint().upper, py::arg("target") = 0.0,
           py::arg("stiffness") = 0.0, py::arg("damping") = 0.0, py::arg("side") = SpringSide::both)
      .def_readwrite("name", &Constraint::name)
      .def_readwrite("kind", &Constraint::kind)
      .def_readwrite("body_a", &Constraint::body_a)
      .def_readwrite("body_b", &Constraint::body_b)
      .def_readwrite("X_AF", &Constraint::X_AF)
      .def_readwrite("X_BG", &Constraint::X_BG)
      .def_readwrite("length", &Constraint::length, "m")
      .def_readwrite("radius", &Constraint::radius, "m")
      .def_readwrite("shares", &Constraint::shares, "of a coupler or tendon")
      .def_readwrite("lower", &Constraint::lower, "of a tendon, rad or m")
      .def_readwrite("upper", &Constraint::upper, "of a tendon, rad or m")
      .def_readwrite("offset", &Constraint::offset, "rad or m")
      .def_readwrite("stiffness", &Constraint::stiffness, "of a spring, N/m")
      .def_readwrite("damping", &Constraint::damping, "of a spring, N s/m")
      .def_readwrite("side", &Constraint::side, "of a spring: both, pull, push");
}

}  // namespace

void bind_parts(py::module_& module) {
  bind_restitution(module);
  bind_surfaces(module);
  bind_bodies(module);
  bind_fixed(module);
  bind_forces(module);
}

}  // namespace carom::python
