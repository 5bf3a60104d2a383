#pragma once

#include <optional>
#include <vector>

#include "carom/certificate/evidence.h"
#include "carom/complementarity/island_certificate.h"
#include "carom/contact/contact_finder.h"
#include "carom/contact/crossing.h"
#include "carom/impact/poisson.h"
#include "carom/stepper/constraint_multipliers.h"
#include "carom/stepper/free_motion.h"
#include "carom/stepper/hybrid_dca/joined_problem.h"
#include "carom/stepper/load_sharing.h"
#include "carom/stepper/model_size.h"
#include "carom/stepper/posed_problem.h"
#include "carom/stepper/standing_rows.h"
#include "carom/stepper/step_report.h"

namespace carom {

/// A constraint that takes part in a step.
struct CandidateContact {
  Contact contact;  ///< at the linearisation; of a crossing, with the arms of its instant
  bool crossing = false;
  bool remembered = false;  ///< carried an impulse in the last step
  bool rolled = false;      ///< and did not slip at its end
  double owed = 0;          ///< ContactMemory::approach of the last step
  bool turned = false;      ///< its slip turns round within this step, and was at rest on the way
  /// Change of the gap per time at the step's start, m/s or rad/s: of a contact that lasts, in a step of second order.
  std::optional<double> start_rate = {};
  double travel = 0;  ///< of a crossing: change of the gap from the step's start to that instant, m
  Vec3 arm_A =
      Vec3::Zero();  ///< of a crossing: from the body's origin (the world's, body < 0) to the point, world axes
  Vec3 arm_B = Vec3::Zero();
};

/// The complementarity problem of one step at one linearisation (paper ST, eqs. 7–12 and 15–20), from contacts to
/// velocities. Rows that are there in every step come first (StandingRows); contacts follow. If redundant constraints
/// can share impulses in many ways, those of least norm are taken (ConstraintMultipliers). The same holds for the
/// points of a face that sticks (LoadSharing).
///
/// Offsets of the normal rows, with J, gap at the linearisation:
///
///   Position level (stewart-trinkle):  gap/h − J_n reach, so that gap + J_n h (v⁺ − reach) ≥ 0 is nᵀq⁺ ≥ α₀, eq. (7).
///   Velocity level (anitescu-potra):   0, section 3.3, but gap/h for a crossing. It is gap/h, too, for a contact that
///                                      the last step left open if it carried an impulse or is open here: so
///                                      nothing hovers. Offsets are ≥ 0: a solution exists.
///
/// In a step of second order a contact that lasts has its condition at the end, where its normal and arms are others
/// than at the linearisation in the middle. With J_s, the row at the step's start, they have turned by as much again,
///
///   (2 J_n − J_s) v⁺ ≥ −gap/h,   offset gap/h + (J_n − J_s) v.
///
/// In an impact of second order, with the weight θ of the step's end, the bodies go along v for (1 − θ) h and along v⁺
/// for the rest. The gap after the first part is closed in the second, offset (gap + (1 − θ) h J_n v) / (θ h). Newton's
/// hypothesis then takes the approach at the instant of the touch, and the forces of the time that is left.
///
/// An overlap at the step's start has a negative offset at position level, which drives it apart. With
/// OverlapRemedy::project only a slight overlap has one; the others have the offset 0. Newton's hypothesis tightens the
/// offset of a contact that closes in this step. Its approach must be faster than restitution_speed and than the
/// approach that the applied forces make within the step. Poisson's marks all contacts with restitution in any group of
/// touching bodies that holds such a contact. With stepper hybrid-dca, Newton's is eq. (16) of paper DCA for an
/// approach that the last step stopped. Its condition is 0 ≤ u_n⁺ + e · approach, offset −e · approach.
///
/// With that stepper bilateral rows are joined away before anything is solved (JoinedProblem). Some of the redundant
/// rows then bear all, and no load is shared.
class ContactStep {
 public:
  ContactStep(const Model& model, const Method& method);

  /// Asked in every iteration of a solve, which then throws Stopped.
  void set_stop(const StopSignal& stop) { stop_ = stop; }

  /// Tells what the last step's contacts and standing rows carried. The first solve of a step begins from there, and
  /// later ones from what the solve before gave. Impulses of contacts are turned into the present contact frames;
  /// contacts that were not there begin from zero, and so do standing rows of which nothing is known.
  void begin(const State& state);

  /// Poses the problem of the candidates for this free velocity (coordinates at the linearisation). Needs `mass`
  /// factored at the linearisation in `workspace`, with `extra` on its diagonal.
  void assemble(const Model& model, const Method& method, const std::vector<CandidateContact>& candidates,
                const Linearisation& at, const VectorX& free_velocity, const VectorX& extra,
                const std::vector<double>& end_weight, DynamicsWorkspace& workspace, MassOperator& mass);

  /// Sets the weight of the step's end (Impacts::end_weight) in groups of touching trees in which a contact closes
  /// within the step at the speed that it has at the start: in an impact. It is the part of the step after the first of
  /// the group's touches, and never ½, the weight elsewhere. Overlap that is pushed apart within the step is an impact
  /// at its start, and so are the contacts of what hardly moves. True if any weight changed. `start`: v at the
  /// linearisation, as assembled.
  bool weigh_impacts(const Model& model, const std::vector<CandidateContact>& candidates, const Method& method,
                     const VectorX& start, std::vector<double>& end_weight);

  /// Leaves out what contacts that last turn by in the step, a term of second order. False if there was none.
  bool drop_turns();

  /// Solves it; velocity is the free velocity before and v⁺ after. If no solution is found, the status says so. The
  /// impulses are then the solver's if it stopped short with a residual of at most 1e-5. Else they are those of the
  /// velocity-level problem (offsets that ask for separation dropped), or zero if that fails as well. So a run can go
  /// on. Islands that were solved keep theirs.
  [[nodiscard]] ContactSolution solve(const Method& method, MassOperator& mass, VectorX& velocity);

  // Results of the last solve, k rows: the standing ones, then those of the candidates in their order.
  Eigen::Map<const VectorX> impulse() const { return {impulse_.data(), rows()}; }
  Eigen::Map<const VectorX> contact_velocity() const { return {velocity_.data(), rows()}; }
  /// At the step's start, and at its end if nothing touched.
  Eigen::Map<const VectorX> start_velocity() const { return {start_.data(), rows()}; }
  Eigen::Map<const VectorX> free_velocity() const { return {free_.data(), rows()}; }
  /// Start of the next step at a candidate, in the contact's frame; call prepare_start() first. A structure at rest,
  /// with A in factors, keeps constant impulses until round-off has grown to the tolerance. Then one step closes the
  /// gap, and another stops the motion that closed it. Neither impulse lasts, and the next step would begin wrong by as
  /// much. So only a part of such a correction is taken, and its two steps cancel but for what was wrong before.
  Vec3 next_start(std::size_t candidate) const;
  /// The same of the standing rows, by row.
  void next_start(VectorX& standing) const;
  void prepare_start(const MassOperator& mass);
  /// Block of a candidate.
  const Block& block(std::size_t candidate) const { return blocks_[standing_ + candidate]; }
  /// Work of the standing rows in the last solve.
  StandingWork standing_work(MassOperator& mass);
  /// ½ (J (v⁺ + v) − 2 rate)ᵀ p of every constraint in the last solve, in joules. It is added to the entry of one
  /// of its bodies.
  void add_turning_work(const Model& model, const VectorX& v, const MassOperator& mass, std::vector<double>& of_body);
  /// ½ (u⁺ + u_start)ᵀ p of the contacts in the last solve, u_start at the step's start, J. In an impact of second
  /// order both are those at its instant.
  double whole_contact_work() const;
  /// Work of the contacts that an impact of second order throws back, less what the certificate has of it, J.
  double touching_correction() const;
  /// Part of the certificate's push_out that the turning of contacts that last asked for, and no overlap, J.
  double turned_out() const;
  /// Certificate of the last solve against the problem as it was posed, solved or not; both phases of Poisson's law
  /// taken together.
  SolveCertificate certificate(const Method& method, const MassOperator& mass);
  /// Rows, conditions and impulses of the last solve as its judge wants them.
  void tell(const Method& method, StepEvidence& evidence) const;
  /// Rows of the last solve; those of the model's constraints come first.
  const std::vector<ConstraintRow>& constraint_rows() const { return constraint_rows_; }
  int constraint_count() const { return standing_rows_.constraint_count(); }
  std::size_t standing_count() const { return standing_; }
  /// The problem with bilateral rows joined away; null for other steppers.
  const JoinedProblem* joined() const { return joined_ ? &*joined_ : nullptr; }
  /// A copy of the problem of the last solve.
  void copy_problem(const Method& method, const MassOperator& mass, PosedProblem& copy) const;

 private:
  /// Joined rows are differences of what rows and constraints make of each other, and lose a digit more.
  static constexpr double joining_digits = 10;

  /// Part of a dual vector that showed a problem infeasible: of a standing row (id unused) or of a contact.
  struct Contradiction {
    std::size_t standing = 0;
    ContactId id;
    double part = 0;
  };
  struct Place {
    ContactId id;
    Mat3 R_WC;
  };
  Eigen::Index rows() const { return static_cast<Eigen::Index>(constraint_rows_.size()); }
  void reserve(const Model& model, const Method& method, std::size_t count, MassOperator& mass);
  static void grow(std::vector<double>& buffer, Eigen::Index size) {
    if (static_cast<Eigen::Index>(buffer.size()) < size) buffer.resize(size);
  }
  double touching_work(const Block& block, double theta) const;
  /// True if the law asks for more than what a gap or an overlap does.
  static bool is_thrown_back(const Block& block) { return block.push_speed != std::max(0.0, -block.offset); }
  void share_load(const MassOperator& mass);
  void share_faces(const Method& method);
  void still_round_off(const Model& model, const Method& method, const VectorX& free_velocity,
                       const DynamicsWorkspace& workspace, const MassOperator& mass);
  bool rests(const CandidateContact& candidate, int row) const;
  /// Gap of a candidate at the step's start as its row has it, m or rad.
  double start_gap(const CandidateContact& candidate, const Block& block, double step) const {
    return candidate.contact.gap - (candidate.crossing ? candidate.travel : step * reach_[block.normal_row()]);
  }
  /// Change of the gap per time at the step's start.
  double start_rate(const CandidateContact& candidate, const Block& block) const {
    return candidate.start_rate.value_or(start_[block.normal_row()]);
  }
  double touching_mass(const Model& model, const ConstraintRow& row) const;
  bool is_slight(const Model& model, int row, double mobility, double push_speed, double step) const;
  void set_blocks(const Model& model, const Method& method, const std::vector<CandidateContact>& candidates,
                  const std::vector<double>& end_weight, const MassOperator& mass);
  double turn_of(const Method& method, const CandidateContact& candidate, const Block& block, double fastest) const;
  void recall(const std::vector<CandidateContact>& candidates);
  double next_start(int row) const;
  void remember();
  void suspect_contradiction();
  void remember_contradiction();
  void fall_back(const ContactOptions& options, const ContactProblem& problem, std::size_t standing, bool by_islands,
                 Eigen::Ref<VectorX> p, Eigen::Ref<VectorX> u_plus);
  ContactSolution solve_joined(const Method& method, MassOperator& mass, VectorX& velocity);
  void copy_joined(PosedProblem& copy) const;
  SolveCertificate joined_certificate(const Method& method);
  double own_work(int first, int count, MassOperator& mass);
  double largest_speed(const std::vector<double>& velocity) const;
  double in_rows(const ConstraintRow& row) const;
  void group_touching(const Model& model, const std::vector<CandidateContact>& candidates);
  void owe_rebound(const std::vector<CandidateContact>& candidates);
  bool weigh_slow_groups(const Model& model, const std::vector<CandidateContact>& candidates, const VectorX& start,
                         double slow);
  void rebound_in_time(double before, const Contact& contact, Block& block) const;
  /// True if the rate at the step's start closes the gap within the step.
  bool closes(const CandidateContact& candidate, const Block& block, double step) const;
  /// Weight of the step's end in the impact of second order that a contact is part of; ½ if there is none.
  static double impact_weight(const Contact& contact, const std::vector<double>& end_weight);
  void apply_restitution(const Model& model, const Method& method, const std::vector<CandidateContact>& candidates);

  StopSignal stop_;
  std::size_t capacity_ = 0;  // candidates that there is room for, whatever their kinds
  ModelSize size_;
  StandingRows standing_rows_;
  std::size_t standing_ = 0;  // their number, each a block of its own
  std::vector<ConstraintRow> constraint_rows_;
  std::vector<Block> blocks_;
  std::vector<Block> relaxed_;  // of the velocity-level problem where the first was not solved
  ContactSolution solution_;    // of the last solve
  std::vector<double> free_, start_, reach_, impulse_, velocity_;  // contact velocities and impulses, rows() entries
  std::vector<double> scratch_;
  std::vector<double> warm_start_;       // impulses to begin from, likewise
  std::vector<ContactMemory> memory_;    // by id
  std::vector<double> standing_memory_;  // by standing row
  std::vector<Place> places_;            // per candidate
  std::vector<Contradiction> contradiction_;
  std::vector<int> group_;         // of touching trees, by root body
  std::vector<double> struck_;     // by group: weight of the step's end in its impact, 0 without one
  std::vector<double> speed_;      // by group, m/s
  std::vector<double> weight_;     // of the step's end by candidate; ½ but where an impact of second order closes
  std::vector<double> turn_;       // (J_n − J_s) v by candidate, m/s or rad/s
  std::vector<double> tree_mass_;  // by root body, kg
  VectorX end_;                    // v⁺ of the mixed form
  ContactSolver solver_;
  PolyhedralSolver mixed_;
  PoissonLaw poisson_;
  ConstraintMultipliers multipliers_;
  LoadSharing sharing_;
  std::vector<SharedContact> pair_;
  IslandCertifier certifier_;
  std::optional<JoinedProblem> joined_;
  double taken_ = 1;  // part of the change since the warm start that the next step begins with
  std::vector<double> slight_, joined_slight_;  // the same by row; and of joined rows
  double least_approach_ = 0;                   // that is an impact, m/s or rad/s
  double recovery_ = 0;                         // of hybrid-dca: least time in which an overlap is made good, s
  std::vector<double> kept_impulse_, kept_velocity_, kept_start_;  // of the rows that joined_ keeps
  VectorX response_, change_;
};

}  // namespace carom
