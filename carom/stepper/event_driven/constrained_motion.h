#pragma once

#include <limits>
#include <vector>

#include "carom/certificate/evidence.h"
#include "carom/complementarity/least_norm/active_set_search.h"
#include "carom/contact/contact_finder.h"
#include "carom/dynamics/constraint_equations.h"
#include "carom/impact/impending_slip.h"
#include "carom/stepper/constraint_multipliers.h"
#include "carom/stepper/event_driven/rest_problem.h"
#include "carom/stepper/event_driven/smooth_forces.h"
#include "carom/stepper/mass_operator.h"
#include "carom/stepper/model_size.h"
#include "carom/stepper/step_loads.h"

namespace carom {

/// A contact that persists: closed, and neither approaching nor separating.
struct PersistingContact {
  Contact contact;               ///< where it was looked at last
  bool slides = false;           ///< else it rolls, or has no friction
  bool slid = false;             ///< it slid before
  Vec3 slip = Vec3::Zero();      ///< direction of its slip when the phase began, world; unit length
  Vec3 force = Vec3::Zero();     ///< on A, contact frame, N (of a stop z alone)
  Vec3 velocity = Vec3::Zero();  ///< of A relative to B, contact frame, m/s
  double left = 0;               ///< slip that a rocking left which has ended, m/s: counts as none
  bool is_gone = false;          ///< the pair has no such point any more
  double margin = 0;  ///< least of what must not fall below zero while the contact goes on like this, relative: normal
                      ///< force, room in the friction cone of one that rolls
};

/// Dry friction of one coordinate of a joint.
struct JointFriction {
  int coordinate = 0;  ///< of v
  double bound = 0;    ///< N m or N
  int direction = 0;   ///< of the motion that it opposes: −1, 1; 0: it holds
  double force = 0;    ///< the one it has now
};

/// The ways in which a contact that persists goes on.
enum class ContactOutcome {
  found,      ///< all conditions hold
  uncertain,  ///< no choice of modes was found for which all hold; the best is taken
  jammed,     ///< none can hold: friction presses a sliding contact in (Painlevé)
};

/// Accelerations of a mechanism with constraints and contacts that persist:
///
///     M v̇ + c = τ + g + Jᵀ f,   a = J v̇ + J̇ v
///     0 ≤ a_n ⊥ f_n ≥ 0 where contacts are closed and their normal velocity is zero
///     f_t = −μ f_n u_t / ‖u_t‖ sliding;  at rest a_t = 0, ‖f_t‖ ≤ μ f_n, or f_t = −μ f_n a_t / ‖a_t‖
///     a = prescribed of bilateral rows;  dry friction of joints: |τ_f| ≤ bound at rest, −bound sign(v) moving
///
/// (Pfeiffer and Glocker 1996.) decide() solves the complementarity problem once, at the start of a phase. Within the
/// phase accelerate() solves the equations that remain, as long as margins say that the modes hold. If forces are not
/// unique, those of least norm are taken. If these would leave the cone of a contact that rests, or the bound of a
/// joint, others that do not are taken (RestProblem). So several contacts hold together whatever they can. Among
/// contacts that slide the least norm stays. J̇ v comes from central differences of J v along the motion, with a
/// relative error of some 1e-11, for any shapes and joints.
class ConstrainedMotion {
 public:
  ConstrainedMotion(const Model& model, const Method& method);

  /// Asked in every iteration where forces of what rests are looked for, which then throws Stopped.
  void set_stop(const StopSignal& stop) { rest_problem_.set_stop(stop); }

  /// Leaves out dry friction of joints: it is a smooth force among those of the controller.
  void leave_joint_friction() { frictions_.clear(); }

  /// Takes these contacts from now on. `rest`: slip below it counts as none, m/s; for contacts that slid before, slip
  /// below `moving` times it. Slip that the accelerations of the phase's start make in the time `instant`, s, counts as
  /// none, too.
  void begin(const std::vector<Contact>& contacts, const std::vector<ContactId>& slid, double rest, double moving,
             double instant);
  /// Slip of these two bodies' contacts counts as none up to `slip`, m/s: it is what is left of a rocking that has
  /// ended.
  void leave_slip(int body_a, int body_b, double slip);
  /// A contact that slid rests until modes are chosen again: `project` then takes what is left of its slip.
  void let_rest(const ContactId& id);
  /// Chooses the modes and drops contacts that open. vdot: nv.
  ContactOutcome decide(const Model& model, double time, const VectorX& q, const VectorX& v, const VectorX& controlled,
                        VectorX& vdot);
  /// v̇ in the present modes; forces, velocities and margins of the contacts.
  void accelerate(const Model& model, double time, const VectorX& q, const VectorX& v, const VectorX& controlled,
                  VectorX& vdot);
  struct Projected {
    double violation = 0;  ///< largest that the position had, m or rad
    bool jumped = false;   ///< a contact's place is another one, and v is as it was
  };
  /// Moves q and v onto the closed contacts and the constraints, by the shortest way in the kinetic metric. A contact
  /// that should rest but is faster than `jump`, m/s, has not drifted. Its place has jumped, as that of a rim does that
  /// comes to lie flat, and an impact decides what it does there. Overlap that joints hold stays (can_be_parted).
  Projected project(const Model& model, double time, VectorX& q, VectorX& v,
                    double jump = std::numeric_limits<double>::infinity());

  /// Speed that accelerations made in an instant when the phase began, m/s.
  double quickly_made() const { return instant_ * acceleration_; }
  const std::vector<PersistingContact>& contacts() const { return contacts_; }
  const std::vector<JointFriction>& frictions() const { return frictions_; }

  // Power of the last acceleration, W.
  const SmoothPower& power() const { return power_; }
  /// Adds the loads of joints and constraints, as impulses of a time of 1 s. The arguments q, v and time are those of
  /// the acceleration; `controlled` is the controller's force alone.
  void add_loads(const Model& model, const StepLoads& loads, double time, const VectorX& q, const VectorX& v,
                 const VectorX& controlled, VectorX& impulses) const;
  /// Appends the rows of the last acceleration with the forces that made it, N or N m: constraints, joints that rub,
  /// contacts. They may leave a cone or a bound by as little as accelerations of what rests may differ.
  void tell_forces(StageEvidence& stage) const { tell_forces(acting_, stage); }
  /// The same with forces within cones and bounds, the conditions on the rows, and the modes.
  void tell(StepEvidence& evidence) const;
  double contact_power() const;
  double constraint_power() const { return constraint_power_; }  ///< against the rates prescribed
  double prescribed_power() const { return prescribed_power_; }  ///< of prescribed motions
  double friction_power() const { return friction_power_; }      ///< of dry friction in joints, ≤ 0

 private:
  void pose(const Model& model, double time, const VectorX& q, const VectorX& v, const VectorX& controlled);
  void gather_rows(const Model& model, double time, const VectorX& q, const VectorX& v, DynamicsWorkspace& workspace,
                   bool keep_tangents, std::vector<ConstraintRow>& rows);
  void drop_round_off();
  void tell_forces(const VectorX& forces, StageEvidence& stage) const;
  double worst_by_size(double reach) const;
  double project_position(const Model& model, double time, VectorX& q, VectorX& v);
  bool project_velocity(const Model& model, double time, const VectorX& q, double jump, VectorX& v);
  void add_bias(const Model& model, double time, const VectorX& q, const VectorX& v);
  BlockLabel label_of(const PersistingContact& contact, const Block& block) const;
  double weight_on(const Contact& contact, double mobility) const;
  void keep_forces(VectorX& vdot);
  std::size_t held_joints() const;
  std::size_t standing() const { return blocks_.size() - contacts_.size(); }
  // constrained_modes.cpp
  void find_sliding();
  bool find_moving_joints(const VectorX& v);
  LabelStatus prune();
  LabelStatus choose_labels();
  bool search();
  bool all_rests() const;
  void pose_rest(bool with_sliding);
  bool bears() const;
  bool find_bearing();
  bool find_rest();
  bool slides_on() const;
  bool settle(const Model& model, double time, const VectorX& q, const VectorX& v, const VectorX& controlled);
  bool loosen();
  bool loosen_joints();
  LabelStatus loosen_in_turn(const Model& model, double time, const VectorX& q, const VectorX& v,
                             const VectorX& controlled);
  void drop_open();

  ModelSize size_;
  MassOperator mass_;
  SmoothForces forces_;
  ContactFinder finder_;
  DynamicsWorkspace workspace_, beside_;
  ConstraintEquations equations_;
  std::vector<ConstraintRow> rows_, rows_beside_;
  std::vector<double> rates_;  // of the constraints
  std::vector<Block> blocks_;
  std::vector<BlockLabel> labels_, start_;
  std::vector<std::vector<BlockLabel>> choices_;
  std::vector<PersistingContact> contacts_;
  std::vector<JointFriction> frictions_;
  LabelledSystem system_;
  ImpendingSlip rule_;
  ActiveSetSearch search_;
  RestProblem rest_problem_;
  double gravity_ = 0;             // m/s²
  double least_rate_ = 0;          // 1/s: of what is at rest
  std::vector<double> tree_mass_;  // by body, kg: of the whole tree that it belongs to
  std::vector<char> opens_;        // by contact: what rests no longer bears it
  ConstraintMultipliers multipliers_;
  SmoothPower power_;
  double rest_ = 0, moving_ = 1, instant_ = 0, acceleration_ = 0;
  double constraint_power_ = 0, prescribed_power_ = 0, friction_power_ = 0;
  MatrixX A_;  // of the rows
  VectorX no_augmentation_, zero_, velocity_, tau_, bias_, free_, q_beside_, u_, b_, error_, moved_;
  VectorX bearing_, shared_, accelerations_;  // forces that the rows are told to have; of find_bearing and find_rest
  VectorX acting_;                            // bearing_, or what accelerates alike to round-off beside a cone's border
};

}  // namespace carom
