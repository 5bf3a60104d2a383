#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/complementarity/friction_cone.h"
#include "carom/complementarity/rung_counts.h"
#include "carom/impact/plus_options.h"
#include "carom/impact/propagative/propagative_options.h"
#include "carom/stepper/catalogue.h"
#include "carom/stepper/quasi_rigid/deflection_measure.h"
#include "carom/stepper/quasi_rigid/slip_kinematics.h"

namespace carom {

/// Who applies M⁻¹.
enum class DynamicsKind {
  articulated,         ///< O(n) recursion
  divide_and_conquer,  ///< O(n) work in O(log n) steps: assemblies joined two by two (paper DCA)
  dense,               ///< Cholesky factors of the whole mass matrix; reference for small systems
};
/// Forms in which the complementarity problem of a step is posed.
enum class ContactForm {
  pure,   ///< v⁺ eliminated: LCP in c_n, β, λ
  mixed,  ///< v⁺ kept as free unknowns
  // Two forms of hybrid_dca, between the others:
  handles,         ///< velocities of the two terminal handles kept (paper DCA, eq. 32)
  contact_bodies,  ///< these and the velocities of the bodies that contacts push (eq. 33)
};
/// Ways in which ω × I ω enters a step.
enum class GyroscopicTerms {
  implicit,       ///< at the midpoint velocity: adds no energy in free flight
  explicit_form,  ///< at the known velocity, as in the papers: first order, gains energy
};

/// Order in h of forces, gyroscopic terms and the way of a step between impacts.
enum class SmoothParts {
  first_order,   ///< springs, dampers and servos at the step's end, positions along the velocity there (papers ST, DCA)
  second_order,  ///< forces over the step's middle, positions along the mean velocity (smooth_weights.h)
};

/// Settings of stepper compliant beside the materials.
struct CompliantSettings {
  double transition_speed = 0.01;  ///< slip at which friction has risen to its static value, > 0, m/s; of dry friction
                                   ///< in joints likewise, m/s or rad/s
  double limit_stiffness = 0;      ///< of joints' limits and of ropes that are taut, N m/rad or N/m; 0: not given
  double limit_dissipation = 0;    ///< of these, c ≥ 0 of Hunt and Crossley's force f (1 + 3/2 c ż), s/rad or s/m
  int most_steps = 200000;         ///< of the integration in one step of the run, > 0
};

/// Settings of steppers quasi-rigid and implicit-geometry beside the materials.
struct QuasiRigidSettings {
  SlipKinematics slip = SlipKinematics::of_bodies;
  DeflectionMeasure deflection = DeflectionMeasure::distance;
  double tolerance = 1e-12;  ///< largest mixed_ncp_residual of a step that is called solved
  int iterations = 60;       ///< of one method from one start
  int halvings = 4;          ///< how often a step that is not solved is cut in two, each half taken for itself
};

/// Ways in which stepper hybrid_dca lets contacts rebound by Newton's law.
enum class Rebound {
  located,    ///< at the time of touch, as often as it happens within a step
  next_step,  ///< in the step after the one that stopped the contact (paper DCA, eq. 16)
};

/// Treatment of shapes that overlap, and of joints beyond their limit, when a step begins.
enum class OverlapRemedy {
  project,  ///< moved apart at the end of the step, by the shortest way and without velocity; what the linearisation of
            ///< a step leaves, less than the fall in a step, the next one makes good
  push,     ///< driven apart within the step, at gap / h (paper ST, eq. 7; papers DCA and QR): gives that velocity
};

/// Contacts to the last digits that the solver knows (Method::contact_tolerance).
inline constexpr double strict_contact_tolerance = 1e-9;

/// A method is a point in the product of these choices. Paper DCA and others: stepper_kind.h.
struct Method {
  StepperKind stepper = StepperKind::stewart_trinkle;
  LawKind law = LawKind::none;
  DynamicsKind dynamics = DynamicsKind::articulated;
  ContactForm form = ContactForm::pure;
  FrictionCone cone = FrictionCone::exact;
  GyroscopicTerms gyroscopic = GyroscopicTerms::implicit;
  SmoothParts smooth = SmoothParts::first_order;
  double step = 0.01;   ///< h, s
  double accuracy = 0;  ///< of methods without error control of their own: error of a step as a part of the way that
                        ///< bodies go in it, which is then taken in parts (step_doubling.h), ≤ 0.1; 0: in one
  int directions = 8;   ///< generators of a polyhedral friction cone, at least 3
  double contact_tolerance =
      strict_contact_tolerance;   ///< 1e-9 to 1e-3: residual that is enough of contacts which move, where many lie on
                                  ///< few bodies and 1e-9 would cost more; what stands has 1e-9 where that is cheap
  double restitution_speed = 0;   ///< approach slower than this does not bounce, m/s; whatever its value, an approach
                                  ///< that the applied forces make within one step does not bounce either
  int nonlinear_iterations = 50;  ///< fixed-point budget of the nonlinear variant
  double nonlinear_tolerance = 1e-9;  ///< on its velocity, relative to the largest
  double tolerance = 1e-10;           ///< of event_driven and compliant: error of a step of the integration
  double proximity = 1e-5;            ///< of impacts: contacts no further apart take part, m (rad for a joint's limit)
  PlusOptions plus = {};              ///< of law plus
  double lzb_accuracy = 1e-7;         ///< of law lzb, of a step along the impulse
  PropagativeOptions propagative = {};             ///< of laws propagative and energy-blend
  CompliantSettings compliant = {};                ///< of stepper compliant
  QuasiRigidSettings quasi_rigid = {};             ///< of steppers quasi-rigid and implicit-geometry
  Rebound rebound = Rebound::located;              ///< of stepper hybrid_dca
  OverlapRemedy overlap = OverlapRemedy::project;  ///< of steppers that are at position level
  RungCounts* rungs = nullptr;  ///< counts the methods of all contact solves, for programs that measure; not from two
                                ///< threads at a time; null: nobody counts

  /// Generators of the friction cone: 0 for the exact one.
  int generators() const { return cone == FrictionCone::exact ? 0 : directions; }
};

// The names that scene files, the command line and JSON use. The parsers throw Error that lists the right ones; for
// steppers and laws these are the names of the product's catalogue.
std::string stepper_name(StepperKind kind);
std::string law_name(LawKind kind);
std::string dynamics_name(DynamicsKind kind);
std::string form_name(ContactForm form);
std::string cone_name(FrictionCone cone);
std::string gyroscopic_name(GyroscopicTerms terms);
std::string smooth_name(SmoothParts smooth);
std::string slip_name(SlipKinematics slip);
std::string deflection_name(DeflectionMeasure measure);
std::string rebound_name(Rebound rebound);
std::string overlap_name(OverlapRemedy remedy);
StepperKind parse_stepper(const std::string& name);
LawKind parse_law(const std::string& name);
DynamicsKind parse_dynamics(const std::string& name);
ContactForm parse_form(const std::string& name);
FrictionCone parse_cone(const std::string& name);
GyroscopicTerms parse_gyroscopic(const std::string& name);
SmoothParts parse_smooth(const std::string& name);
Rebound parse_rebound(const std::string& name);
OverlapRemedy parse_overlap(const std::string& name);

// All there are in the product's catalogue, in its order.
const std::vector<StepperKind>& all_steppers();
const std::vector<LawKind>& all_laws();
std::vector<DynamicsKind> all_dynamics();
/// True if the stepper takes a law of this kind, whatever the scene.
bool go_together(StepperKind stepper, LawKind law);

// Properties of the method's stepper, read from its entry (stepper_entry.h).
bool has_impacts(const Method& method);
bool is_integrated(const Method& method);
bool is_implicit_in_geometry(const Method& method);
bool is_at_position_level(const Method& method);

/// True if the stepper reads a field of the method that not all of them read.
bool reads(StepperKind stepper, std::string_view field);

/// True if the smooth parts of the method's steps are of second order.
inline bool is_second_order(const Method& method) {
  return method.smooth == SmoothParts::second_order && reads(method.stepper, "smooth");
}

/// Fields of a Method, as scene files name them, that its stepper or law does not read. Among them cone where the cone
/// is not the method's choice.
std::vector<std::string> fields_without_effect(const Method& method);

/// Why the numbers or the combination make no sense, a sentence each; empty if they do. Names fields as scene files do,
/// and others to choose from the catalogue.
std::vector<std::string> method_faults(const Method& method, const Catalogue& catalogue = default_catalogue());

}  // namespace carom
