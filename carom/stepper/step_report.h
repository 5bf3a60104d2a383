#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carom/certificate/judged.h"
#include "carom/impact/impact_certificate.h"
#include "carom/impact/plus_options.h"
#include "carom/model/state.h"
#include "carom/stepper/stage_times.h"

namespace carom {

/// The motion of a contact in a step. A joint limit is separating or closed.
enum class ContactMode { separating, sliding, rolling, closed };
std::string mode_name(ContactMode mode);
// The same of an impact: how it ended, and what a contact does in a round and in an interval of law plus.
std::string impact_status_name(ImpactStatus status);
std::string role_name(PlusRole role);
std::string motion_name(PlusMotion motion);

/// One constraint that took part in a step.
struct ContactReport {
  ContactId id;
  int body_a = -1;  ///< −1: the world. For a limit: the child body
  int body_b = -1;  ///< for a limit: the parent
  ContactMode mode = ContactMode::separating;
  Vec3 position = Vec3::Zero();  ///< on the surface of A, world, m
  Mat3 R_WC = Mat3::Identity();  ///< contact frame: columns x, y, normal from B towards A
  double gap = 0;                ///< at the configuration where the step was linearised, m or rad
  Vec3 impulse = Vec3::Zero();   ///< on A, contact frame, N s (limit: z, N m s or N s)
  Vec3 velocity = Vec3::Zero();  ///< of A relative to B at the step's end, contact frame, m/s
  double closing = 0;            ///< approach speed at the step's start, m/s or rad/s
  double by_forces = 0;          ///< what all but contacts and constraints adds to it within the step
};

/// One contact in an impact.
struct ImpactContact {
  ContactId id;
  int body_a = -1;  ///< as of ContactReport
  int body_b = -1;
  Vec3 position = Vec3::Zero();  ///< on the surface of A, world, m
  Mat3 R_WC = Mat3::Identity();
  double gap = 0;
  Vec3 impulse = Vec3::Zero();  ///< on A, contact frame, N s (limit: z)
  Vec3 before = Vec3::Zero();   ///< velocity of A relative to B, contact frame, m/s
  Vec3 after = Vec3::Zero();
};

/// The part of a contact in one interval of law plus.
struct IntervalContact {
  std::size_t contact = 0;  ///< in StepReport::struck
  PlusRole role = PlusRole::observing;
  PlusMotion motion = PlusMotion::idle;
  Vec3 impulse = Vec3::Zero();   ///< of the interval, on A, contact frame, N s (limit: z)
  Vec3 velocity = Vec3::Zero();  ///< of A relative to B at its end, contact frame, m/s
};

/// One interval of law plus: a piece of a group's way through an impact. Groups are contacts that know nothing of one
/// another; their intervals have no common clock.
struct ImpactInterval {
  int group = 0;     ///< of the impact, from 0
  int round = 0;     ///< of the group, from 0
  double alpha = 0;  ///< length, as a part of what was left of the round
  bool jammed = false;
  bool ending = false;                           ///< the one that ends a group whose budget of rounds is spent
  LabelStatus status = LabelStatus::admissible;  ///< of its active set
  std::size_t first_contact = 0, contacts = 0;   ///< in StepReport::interval_contacts: all of the group. Constraints
                                                 ///< are left out: what they did is in the velocities of the contacts
};

/// The impulse of a push (push.h) on a body in a step, world axes.
struct BodyImpulse {
  int body = -1;
  Vec3 point = Vec3::Zero();   ///< where it acts, fixed in the body, body frame, m
  Vec3 moment = Vec3::Zero();  ///< about that point, N m s
  Vec3 force = Vec3::Zero();   ///< N s
};

/// One impact: an instant in which a law of the impact room changed the velocity.
struct ImpactReport {
  double time = 0;
  std::int64_t step = 0;                          ///< number of the step that it is in
  std::size_t first_contact = 0, contacts = 0;    ///< in StepReport::struck
  std::size_t first_interval = 0, intervals = 0;  ///< in StepReport::intervals; none of laws other than plus
  ImpactOutcome outcome;          ///< of all groups of contacts struck in it: the worst status, sums of the counts
  ImpactCertificate certificate;  ///< likewise the worst of each entry
  double momentum_residual = 0;   ///< M (v⁺ − v) against the impulses, kinetic metric, relative
  double contact_work = 0;        ///< ½ (u⁺ + u)ᵀ p of contacts and stops, J
  double constraint_work = 0;     ///< the same of constraints beside the tree, against the rates prescribed
  double drive_work = 0;          ///< of prescribed motions: rate times impulse
};

/// The energy of a step, line by line, J. To round-off, `kinetic_change + potential_change = −damping + drive_work +
/// joint_friction + contact_work + constraint_work + opposed_work + push_out + projection + free_motion_error`.
struct EnergyLedger {
  double kinetic = 0;    ///< at the step's end
  double potential = 0;  ///< gravity, springs and compliant contacts, at the step's end
  double kinetic_change = 0;
  double potential_change = 0;
  double damping = 0;     ///< taken by joint dampers, ≥ 0
  double drive_work = 0;  ///< of drives, applied wrenches, the controller and prescribed motions
  // The next three are each ½ (u⁺ + u)ᵀ p. Here u is the velocity before their own impulses but after all others, so
  // that none can give.
  double joint_friction = 0;   ///< of dry friction in joints, ≤ 0
  double contact_work = 0;     ///< of contacts and limits; ≤ 0 unless a law restores more than it took
  double constraint_work = 0;  ///< of constraints beside the tree: what turning their reaction along with the mechanism
                               ///< took, given back in free_motion_error, and their part in `opposed_work`
  double opposed_work = 0;  ///< Σ −½ (u − u_start)ᵀ p of all three: what other forces gave within the step against
                            ///< contacts that took it back at once; a body at rest has ½ m (g h)² of it per step
  double push_out = 0;           ///< given by contacts that drove an existing overlap apart
  double projection = 0;         ///< given by moving back onto constraints and out of overlap
  double free_motion_error = 0;  ///< of the motion between contacts: what time stepping itself made or lost
};

enum class EventKind { touch, separate, slide, roll, unsolved, impact };
std::string event_name(EventKind kind);

/// A change of a contact's mode, at the end of the step in which it was found. Also a contact that took part in an
/// impact.
struct Event {
  double time = 0;
  std::int64_t step = 0;
  EventKind kind = EventKind::touch;
  ContactId id;     ///< unused for `unsolved`
  int body_a = -1;  ///< −1: the world
  int body_b = -1;
};

/// Report of one step. Its judged numbers penetration and constraint_drift are those at its end. Redundant rows
/// (stepper hybrid-dca) have `inconsistency`, the largest velocity by which their demands are not met.
struct StepReport : Judged {
  std::int64_t step = 0;  ///< number of the step, from 1
  double time = 0;        ///< at its end, s
  SolveStatus status = SolveStatus::solved;
  double solve_residual = 0;  ///< of implicit-geometry and quasi-rigid: left in the mixed problem of a step not solved
  int contacts_considered = 0;           ///< constraints in the complementarity problem
  int lcp_size = 0;                      ///< of the LCP, or rows of the problem with the exact cone
  int iterations = 0;                    ///< of the last solve: pivots, or sweeps and Newton steps
  SolverKind solver = SolverKind::none;  ///< the method that they belong to
  int resolves = 0;  ///< how often the problem was solved again because a constraint left out was violated
  int fixed_point_iterations = 1;  ///< of the nonlinear variant
  // For a method with an accuracy (step_doubling.h); else 1, 1 and 0:
  std::int64_t parts = 1;    ///< that the step was taken in
  std::int64_t trials = 1;   ///< of a part or half a part, those that were too long included
  double shortest_part = 0;  ///< s
  std::vector<ContactReport> contacts;
  std::vector<Event> events;
  std::vector<ImpactReport>
      impacts;  ///< of methods whose impacts are instants of their own (has_impacts), in their order
  std::vector<ImpactContact> struck;
  std::vector<ImpactInterval> intervals;           ///< what law plus did in them
  std::vector<IntervalContact> interval_contacts;  ///< contacts of the intervals
  EnergyLedger energy;
  SolveCertificate contact_certificate;
  /// Impulses in joints and constraints (StepLoads); empty where a stepper tells none.
  VectorX loads;
  std::vector<BodyImpulse> pushes;  ///< on bodies, in no torque of `loads`
  /// By body, what its inboard joint passed on to it in a step of hybrid-dca (joint_impulses.h). Moment about the
  /// joint's origin, N m s, and force, N s, in world axes at the middle of the step.
  std::vector<Vec6> joint_impulses;
  std::vector<double> constraint_impulses;  ///< likewise, by row of constraint_equations, N s or N m s
  /// Rows of these that depend on others and bear nothing, ascending; of hybrid-dca alone.
  std::vector<int> redundant_rows;
  StageTimes stages;
};

/// True if no number that a step is judged by is above its threshold.
bool borne_out(const StepReport& report);

/// Iterations of a step's solve from which on the step counts as slow.
inline constexpr int many_iterations = 100;

/// True if the step's contact problem took more than `many_iterations`, added over its groups of contacts. Pivots do
/// not count: a step costs few of them or as many as it has rows, and each is cheap. Nor do the steps of an
/// integration.
bool is_slow(const StepReport& report);

/// The time after one more step of length h, s. On the grid of whole steps it is a product, which does not gather
/// round-off.
double time_after(const State& state, double h);

/// The worse of two ways in which solves ended: infeasible, a ray, no further progress, a spent budget, solved.
SolveStatus worse_status(SolveStatus a, SolveStatus b);

/// The run's certificate: the worst of every step, and the sums of the ledger.
struct RunCertificate : Judged {
  std::int64_t steps = 0;
  std::int64_t unsolved_steps = 0;
  std::int64_t first_unsolved_step = -1;
  SolveStatus worst_status = SolveStatus::solved;  ///< of all steps
  SolveCertificate contact;                        ///< largest of each entry over the steps
  EnergyLedger energy;                             ///< sums; kinetic and potential are those at the end
  double largest_energy = 0;     ///< scale for the ledger's lines: largest of kinetic energy and |work of a step|, J
  double contact_work_gain = 0;  ///< largest positive contact work of one step, J
  std::int64_t contact_work_gain_step = -1;
  std::int64_t impacts = 0;
  std::int64_t unresolved_impacts = 0;  ///< of another status than resolved
  ImpactCertificate impact;             ///< the worst of each entry over the impacts
  std::int64_t parts = 0;               ///< of all steps, of a method with an accuracy; else one a step
  std::int64_t trials = 0;              ///< likewise
  double shortest_part = 0;             ///< s; of a method without an accuracy 0
  int largest_lcp = 0;
  int largest_contact_count = 0;
  std::int64_t slow_steps = 0;       ///< see is_slow()
  std::int64_t most_iterations = 0;  ///< the largest of a step, as is_slow() counts
  std::int64_t most_iterations_step = -1;

  void add(const StepReport& report);
};

}  // namespace carom
