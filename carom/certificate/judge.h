#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "carom/certificate/compliant_law.h"
#include "carom/certificate/discrete_action.h"
#include "carom/certificate/end_geometry.h"
#include "carom/certificate/evidence.h"
#include "carom/certificate/judged.h"
#include "carom/contact/contact_finder.h"
#include "carom/dormand_prince.h"
#include "carom/dynamics/constraint_equations.h"
#include "carom/dynamics/workspace.h"

namespace carom {

/// Judges a step from the states at its ends, its impulses and the equation that its stepper declares (evidence.h). It
/// works by recursions over the tree, and uses no matrix, unknown or factor of the step's solver.
///
/// v⁺ is read off the state after. Then
///
///   momentum_residual    ‖r‖ / scale of the worst tree. r is what the declared equation leaves, in the metric of
///                        (M + h D + h² K)⁻¹. The scale is the largest of these: the applied impulse, Jᵀ p, every
///                        row's impulse by itself, 1e-5 of M v, 1e-5 of M v⁺, 1e9 times a momentum of round-off. The
///                        speed of the last moves nothing in the step by as much as positions resolve. For single
///                        bodies the declared turn is checked as well.
///   kinematic_residual   q⁺ against q ⊞ h v⁺ and its declared correction. If nothing ties bodies to one another, also
///                        q_a against q ⊞ lead h v. Turns are in rad, ways in radii of gyration of the body (or in
///                        millionths of the coordinate, where that is more).
///   conditions           those of SolveCertificate (certificate.h), with u⁺ = J v⁺ by the bodies' velocities. Sizes
///                        are those of the trees that rows join; u⁺ without impulses is J (v⁺ − M⁻¹ Jᵀ p). In
///                        natural_map a_i is that of both bodies as if no joint tied them. Rows on coordinates have no
///                        part in it. Velocities below 1e-13 of the largest one count as round-off. So do those below
///                        1e-13 of what the motion of the whole tree can give a row, √(A_ii vᵀ M v). Joints of small
///                        inertia that heavy bodies carry along have no digits of their own.
///
/// With means over the step (DeclaredEquation::means) D and K have their weights, h φ D + h² φ² K, and q⁺ is q ⊞ h
/// ((1 − θ) v + θ v⁺). Weights that are none of a mean, and kicks larger than what changes the body's spin in the step,
/// make the residuals infinite.
///
/// For a discrete action two relations are judged. A whole step moves by the sum of those of both ends. The one of its
/// start says where it leads:
///
///   momentum_residual    M⁺ v⁺ − M v − h f − Jᵀ p − J⁺ᵀ p⁺ in fixed axes, likewise. The metric is that of
///                        (M + (h/2) D + (h²/4) K)⁻¹ at either end.
///   kinematic_residual   h (M + (h/2) D + (h²/4) K)⁻¹ (p⁻(q, q⁺) − M v − Jᵀ p). It is the way by which q⁺ misses the
///                        place that the momentum of the start leads to.
///   conditions           of both ends, with u = J w and u⁺ = J⁺ v⁺. Round-off of positions over a short step counts as
///                        round-off of speeds.
///
/// A step of an integration is integrated again from its start, with the forces of rows that its evidence tells:
///
///   momentum_residual    v⁺ against the velocity that this leads to, likewise. The forces are those of a whole step.
///   kinematic_residual   q⁺ against the positions that it leads to
///   conditions           of h a at the start, with accelerations a = J v̇ + J̇ v less those prescribed. J̇ v comes from
///                        differences of J v along the motion. Of a contact that slips only the direction of its slip
///                        counts, and of a joint that moves against dry friction that of its rate. Both natural_map
///                        and polyhedral_error stay 0.
///
/// If its forces are functions of the state, conditions of contacts and of dry friction are on them at the start:
///
///   normal_complementarity  the normal force against that of the overlap, which the judge looks for itself; 1 of
///                           contacts that are not told, told twice or made up
///   cone, dissipation       friction against that of the slip; of a tangential spring its limit alone
///   bounded                 dry friction of joints against that of the rate
///   kinematic_residual      also how far forces act from where shapes overlap, weighted by the contact's part of the
///                           largest impulse; bodies and moments likewise
///
/// In a step that is implicit in the geometry (StepEvidence::end_conditions) conditions are on lengths over h in place
/// of velocities. EndGeometry measures them in the state after. Friction's axes are the model's. The
/// normal_complementarity includes by how much layers miss their law (layer_residual). The kinematic_residual includes
/// how far rows are from where the shapes touch, weighted by the contact's part of the largest impulse.
///
/// Taken as declared, and not judged: offsets of the conditions, the turn of articulated trees, corrections of the
/// step's end (the ledger shows their energies), which part of the forces comes before a turn, the direction of a slip
/// that counts as none, the deflections of tangential springs. The forces of an integration's stages after the first
/// are judged by the motion alone. A contact that the stepper never saw shows as penetration, if forces are no
/// functions of the state.
///
/// O(n + rows), and a search for contacts where forces are functions of the state. Keeps its buffers: allocates nothing
/// for no more rows than it has room for.
class Judge {
 public:
  explicit Judge(const Model& model);

  struct Verdict {
    double momentum_residual = 0, kinematic_residual = 0;
    SolveCertificate conditions;  ///< residuals alone, no energies
  };
  Verdict judge(const Model& model, const StepEvidence& evidence);
  /// momentum_residual of an impact, M (v⁺ − v) = Jᵀ p.
  double judge_impact(const Model& model, const ImpactEvidence& impact);

  /// Makes room for so many rows.
  void reserve(std::size_t rows);

 private:
  struct Row {
    double before = 0, between = 0, after = 0;  ///< velocity without impulses, after the first phase, after all
    double mobility = 0;                        ///< bound of A_ii, 0 for a row on coordinates
    double still = 0;                           ///< below, a velocity is round-off
  };
  struct Tree {
    double residual = 0, scale = 0;  ///< of the momentum, kinetic metric
    double square = 0;               ///< scratch
    double mass = 0;                 ///< kg
    double momentum = 0;             ///< √(vᵀ M v), the larger of both ends of the step
    int group = 0;                   ///< another tree of its group, or itself
    double end_weight = 0.5;         ///< θ, of steps of means
    bool touches = false;            ///< a contact or limit acts on it, likewise
    // A representative's: sizes of the group in this phase, and its impulses in the first.
    double impulse = 0, velocity = 0, whole = 0;
  };
  /// One solve of a law's conditions: their velocities without its impulses and with them.
  struct Phase {
    const std::vector<Block>& blocks;
    std::span<const double> impulse;
    double Row::*before;
    double Row::*after;
    bool later;
    int directions;  ///< generators of the friction cone, 0: exact
  };
  struct Single {
    int body;
    Mat3 inertia;  ///< about the point that keeps its velocity, axes of M
    Vec3 center;   ///< of mass from M's origin, of a free body
  };

  double kinematics(const Model& model, const StepEvidence& evidence);
  double displacement(const Model& model, const VectorX& difference, const VectorX& q) const;
  bool weights_are_means(const Model& model, const StepEvidence& evidence) const;
  bool impacts_are_of_contacts(const Model& model, const StepEvidence& evidence);
  bool kicks_are_of_forces(const Model& model, const StepEvidence& evidence) const;
  double turn_residual(const Model& model, const StepEvidence& evidence);
  void applied_impulse(const Model& model, const StepEvidence& evidence);
  /// Rows with their impulses; those from `split` on at the step's end.
  struct Acting {
    std::span<const ConstraintRow> rows;
    std::span<const double> impulse;
    std::size_t split;
  };
  void prepare_end(const Model& model, const StepEvidence& evidence);
  void row_impulses(const Model& model, const Acting& acting, VectorX& f);
  void measure_impulses(const Model& model, const Acting& acting);
  void raise(const VectorX& impulse, const VectorX& velocity, double part, double Tree::*of);
  double momentum(const Model& model, const Acting& acting, double resolved);
  double worst_tree() const;
  Verdict judge_action(const Model& model, const StepEvidence& evidence);
  void begin_end(const Model& model, const VectorX& q, const VectorX& v, const RowEvidence& end);
  void judge_end(const Model& model, const RowEvidence& end, const StepEvidence& evidence, const VectorX& v,
                 SolveCertificate& conditions);
  // judge_integration.cpp
  Verdict judge_integration(const Model& model, const StepEvidence& evidence);
  void accelerate(const Model& model, const StepEvidence& evidence, double time, const VectorX& q, const VectorX& v,
                  const Acting& acting);
  void measure_forces(const Model& model, const Acting& acting);
  void judge_accelerations(const Model& model, const StepEvidence& evidence, SolveCertificate& conditions);
  void add_turning_of_rows(const Model& model, const StepEvidence& evidence);
  void integrate_again(const Model& model, const StepEvidence& evidence);
  void drop_round_off(const Model& model, const StepEvidence& evidence);
  void follow_slips(const Model& model, const StepEvidence& evidence);
  // judge_compliance.cpp
  void free_of_equations(const Model& model, const StepEvidence& evidence);
  void judge_compliance(const Model& model, const StepEvidence& evidence, Verdict& verdict);
  void judge_force(const StepEvidence& evidence, const Block& block, const LawfulContact& lawful, double largest,
                   Verdict& verdict);
  void judge_joint_friction(const Model& model, const StepEvidence& evidence, SolveCertificate& conditions);
  double misplaced(const ConstraintRow& told, const ConstraintRow& own) const;
  bool is_finite(const RowEvidence& evidence, SolveCertificate& conditions) const;
  /// Sizes and velocities of all rows: without impulses at v_free_, with them at `after`. In a step that is implicit in
  /// the geometry `ends` tells which rows are at its end.
  void begin_rows(const Model& model, const RowEvidence& evidence, const VectorX& after, double least_speed,
                  const StepEvidence* ends = nullptr);
  void measure_rows(const Model& model, const RowEvidence& evidence, const VectorX& v, double Row::*into,
                    const StepEvidence* ends = nullptr);
  void measure_round_off(const Model& model, const RowEvidence& evidence, double least_speed);
  double inverse_inertia(const Model& model, const ConstraintRow& row);
  void group_trees(const Model& model, const RowEvidence& evidence);
  int group_of(int tree);
  int group_of(const Model& model, const ConstraintRow& row);
  void measure_groups(const Model& model, const RowEvidence& evidence, const Phase& phase);
  BlockMotion motion_of(const RowEvidence& evidence, const Block& block, const Phase& phase) const;
  double mobility_of_equation(const Model& model, const RowEvidence& evidence, const Block& block);
  static BlockSizes sizes_of(const Tree& group);
  void judge_phase(const Model& model, const RowEvidence& evidence, const Phase& phase, SolveCertificate& conditions);
  void judge_rows(const Model& model, const RowEvidence& evidence, int directions, double least_speed,
                  SolveCertificate& conditions);
  void judge_end_conditions(const Model& model, const StepEvidence& evidence, double least_speed, Verdict& verdict);
  double mobility(const Model& model, const ConstraintRow& row, int body, const Vec3& point,
                  const DynamicsWorkspace& at) const;
  /// Calls f(root) for every tree that a row pushes, of bodies that move.
  template <typename F>
  void for_each_tree(const Model& model, const ConstraintRow& row, F&& f) const {
    if (row.coordinate >= 0) {
      row.for_each_term([&](int k, double) { f(tree_of_[static_cast<std::size_t>(k)]); });
      return;
    }
    for (const int end : {row.body_a, row.body_b}) {
      const int body = carrier_[static_cast<std::size_t>(end) + 1];
      if (body >= 0) f(model.root(body));
    }
  }

  static constexpr double round_off_of_speeds = 1e-13;
  static constexpr double passing_part = 1e-5;  // of a momentum: an impulse that is judged as if it were as large

  DynamicsWorkspace at_;
  DiscreteAction action_;
  std::vector<Single> singles_;
  std::vector<Tree> trees_;         // by root body
  std::vector<int> tree_of_;        // by velocity coordinate
  std::vector<int> carrier_;        // by body + 1: the body that moves with it and has a joint that moves, or −1
  std::vector<double> size_;        // radius of gyration by body, m
  std::vector<Mat3> spin_inverse_;  // inverse of the inertia about the centre of mass, B's axes
  bool tied_ = false;               // by constraints
  VectorX damping_, stiffness_, extra_;
  VectorX servo_damping_, servo_stiffness_;
  std::vector<Row> rows_;
  std::vector<double> first_impulse_;
  double fastest_ = 0;  // speed about, m/s or rad/s
  // For steps that are implicit in the geometry, made by the first one.
  struct End {
    explicit End(const Model& model) : at(model), geometry(model) {}

    DynamicsWorkspace at;
    EndGeometry geometry;
    std::array<VectorX, 6> carry;  // column k of the transport of every joint's velocities from q_a to q⁺
    VectorX velocity, impulse;
  };
  std::optional<End> end_;
  // For steps of an integration, made by the first one.
  struct Integration {
    explicit Integration(const Model& model);

    DormandPrince rk;
    ContactFinder finder;
    CompliantLaw law;
    // The rest is for mechanisms whose forces are functions of the state.
    std::vector<Block> standing;  // equations alone
    std::vector<char> told;       // by contact of the law: it has a block
    std::vector<char> in_block;   // by row
    VectorX friction;             // of joints, as told
    DynamicsWorkspace beside;
    ConstraintEquations equations;
    std::vector<ConstraintRow> rows;
    std::vector<double> start, end, weight;  // q and v
    std::vector<double> bias;                // J̇ v by row, less the acceleration prescribed
    std::vector<double> impulse;             // at the start, by row
    VectorX q, v, rate, none;
  };
  std::optional<Integration> integration_;
  std::vector<double> whole_impulse_;
  VectorX v_, v_plus_, v_moved_, v_free_, v_between_, mean_, turn_, reach_, applied_, impulse_, change_, scratch_,
      q_scratch_;
  VectorX momentum_, balance_;  // of a discrete action: momentum at an end; the sum, fixed axes
};

}  // namespace carom
