#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "carom/certificate/end_geometry.h"
#include "carom/certificate/evidence.h"
#include "carom/certificate/judged.h"
#include "carom/dynamics/workspace.h"

namespace carom {

/// Judges a step from the states at its ends, its impulses and the equation that its stepper declares (evidence.h), by
/// recursions over the tree: no matrix, no solver's unknown and no factor of the step is used.
///
/// v⁺ is read off the state after. Then
///
///   momentum_residual    ‖r‖ / scale, tree by tree, the worst; r what the declared equation leaves, in the metric of
///                        (M + h D + h² K)⁻¹; scale the largest of the applied impulse, Jᵀ p, every row's impulse
///                        by itself, and 1e-5 of M v and of M v⁺. Of single bodies the declared turn is checked as
///                        well.
///   kinematic_residual   q⁺ against q ⊞ h v⁺ and its declared correction, and q_a against q ⊞ lead h v where nothing
///                        ties bodies to one another: a turn in rad, a way in radii of gyration of the body (or in
///                        millionths of the coordinate, where that is more)
///   conditions           those of SolveCertificate (certificate.h), with u⁺ = J v⁺ by the bodies' velocities. Sizes
///                        are those of the trees that rows join, u⁺ without impulses being J (v⁺ − M⁻¹ Jᵀ p). Of
///                        natural_map a_i is that of both bodies as if no joint held them, rows on
///                        coordinates have no part in it. Velocities below 1e-13 of the largest about are round-off.
///
/// Of a step that is implicit in the geometry (StepEvidence::at_end) conditions are on lengths over h in place of
/// velocities, measured in the state after (EndGeometry); normal_complementarity holds what layers miss of their law as
/// well (layer_residual), friction's axes are the model's, and kinematic_residual how far rows are from where the
/// shapes touch, by what the contact bears of the largest impulse.
///
/// Taken as declared, and not judged: offsets of the conditions, the turn of articulated trees, and the corrections of
/// the step's end (whose energies the ledger shows). A contact that the stepper never saw shows as penetration.
///
/// O(n + rows). Keeps its buffers: allocates nothing for no more rows than it has room for.
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
  };
  struct Tree {
    double residual = 0, scale = 0;  ///< of the momentum, kinetic metric
    double square = 0;               ///< scratch
    int group = 0;                   ///< another tree of its group, or itself
    // Of a representative: sizes of the group in this phase, and its impulses in the first.
    double impulse = 0, velocity = 0, whole = 0;
  };
  /// One solve of a law's conditions: their velocities without its impulses and with them.
  struct Phase {
    const std::vector<Block>& blocks;
    std::span<const double> impulse;
    double Row::*before;
    double Row::*after;
    bool later;
  };
  struct Single {
    int body;
    Mat3 inertia;  ///< about the point that keeps its velocity, axes of M
    Vec3 center;   ///< of mass from M's origin, of a free body
  };

  double kinematics(const Model& model, const StepEvidence& evidence);
  double displacement(const Model& model, const VectorX& difference, const VectorX& q) const;
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
  double momentum(const Model& model, const Acting& acting);
  void measure_rows(const Model& model, const StepEvidence& evidence, const VectorX& v, double Row::*into);
  void group_trees(const Model& model, const StepEvidence& evidence);
  int group_of(int tree);
  int group_of(const Model& model, const ConstraintRow& row);
  void measure_groups(const Model& model, const StepEvidence& evidence, const Phase& phase);
  BlockMotion motion_of(const StepEvidence& evidence, const Block& block, const Phase& phase) const;
  BlockSizes sizes_of(const Tree& group) const;
  void judge_phase(const Model& model, const StepEvidence& evidence, const Phase& phase, SolveCertificate& conditions);
  void judge_end(const Model& model, const StepEvidence& evidence, Verdict& verdict);
  void judge_rows(const Model& model, const StepEvidence& evidence, Verdict& verdict);
  double mobility(const Model& model, const ConstraintRow& row, int body, const Vec3& point,
                  const DynamicsWorkspace& at) const;
  int tree_of(const Model& model, const ConstraintRow& row, bool second) const;

  DynamicsWorkspace at_;
  std::vector<Single> singles_;
  std::vector<Tree> trees_;         // by root body
  std::vector<int> tree_of_;        // by velocity coordinate
  std::vector<int> carrier_;        // by body + 1: the body that moves with it and has a joint that moves, or −1
  std::vector<double> size_;        // radius of gyration by body, m
  std::vector<Mat3> spin_inverse_;  // inverse of the inertia about the centre of mass, B's axes
  bool tied_ = false;               // by constraints
  VectorX damping_, stiffness_, extra_;
  std::vector<Row> rows_;
  std::vector<double> first_impulse_;
  double fastest_ = 0;  // speed about, m/s or rad/s
  // Of steps that are implicit in the geometry, made by the first one.
  struct End {
    explicit End(const Model& model) : at(model), geometry(model) {}

    DynamicsWorkspace at;
    EndGeometry geometry;
    std::array<VectorX, 6> carry;  // column k of the transport of every joint's velocities from q_a to q⁺
    VectorX velocity, impulse;
  };
  std::optional<End> end_;
  std::vector<double> whole_impulse_;
  VectorX v_, v_plus_, v_moved_, v_free_, v_between_, turn_, reach_, applied_, impulse_, change_, scratch_, q_scratch_;
};

}  // namespace carom
