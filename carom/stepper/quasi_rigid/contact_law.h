#pragma once

#include <array>
#include <optional>

#include "carom/model/layer.h"
#include "carom/spatial/types.h"
#include "carom/stepper/quasi_rigid/layer_deflection.h"
#include "carom/stepper/quasi_rigid/slip_kinematics.h"

namespace carom {

/// Deflections of the layers of body A and of body B, each (t, o, n) in the contact frame, m. Zero for a side without a
/// layer. A contact remembers them from one step to the next. The displacement δ pushes body A along +δ. So on either
/// side a layer that is pressed in has δ_n ≥ 0.
struct LayerDeflections {
  std::array<Vec3, 2> of = {Vec3::Zero(), Vec3::Zero()};
  Vec3 total() const { return of[0] + of[1]; }
};

/// A contact at the end of a step, and at its start.
struct ContactInput {
  double h = 0;    ///< step, > 0, s
  double gap = 0;  ///< d⁺, signed, along n between the surfaces without deflection, plus the law's slack(), m
  Eigen::Vector4d velocity{Eigen::Vector4d::Zero()};  ///< u⁺ = (u_t, u_o, u_n, w) of A relative to B, m/s and rad/s
  LayerDeflections start;                             ///< at the start of the step
};

/// Rows, impulses and their derivatives. Only the first size() of the 5 rows or columns of unknowns count; the others
/// are zero.
struct ContactRows {
  static constexpr int most = 5;
  using Square = Eigen::Matrix<double, most, most>;
  Eigen::Matrix<double, most, 1> F = Eigen::Matrix<double, most, 1>::Zero();
  Eigen::Vector4d impulse = Eigen::Vector4d::Zero();  ///< p: t, o, n in N s, r in N m s
  Square F_by_motion = Square::Zero();                ///< ∂F/∂(d, u_t, u_o, u_n, w)
  Square F_by_z = Square::Zero();                     ///< ∂F/∂z
  Eigen::Matrix<double, 4, most> impulse_by_z = Eigen::Matrix<double, 4, most>::Zero();  ///< ∂p/∂z
};

/// The ways in which a contact goes on.
enum class ElementMode {
  open,    ///< no impulse
  sticks,  ///< neither slips nor spins
  slips,   ///< friction is at its limit; torsion takes its part of it
};

/// Outcome of a step at a contact; all energies of that step.
struct ElementOutcome {
  ElementMode mode = ElementMode::open;
  bool slides = false, spins = false;  ///< of slips: along the surface, about the normal
  bool on_core = false;                ///< every layer at its greatest deflection, or none there: contact is rigid
  LayerDeflections end;
  double spring_impulse = 0;                ///< p_ns = p_n − p_nr of the softer side at work, N s
  double core_impulse = 0;                  ///< p_nr: part of p_n that no layer carries, N s
  Eigen::Vector3d slip{Vec3::Zero()};       ///< (s_t, s_o, s_r) that friction sees, m/s and rad/s
  double stored_start = 0, stored_end = 0;  ///< energy of layers, J
  double damped = 0;                        ///< by layers' dampers, J, ≥ 0
  double rounded_off = 0;                   ///< lost by backward Euler in the springs, J, ≥ 0
  double rubbed = 0;                        ///< by friction and torsion, J, ≥ 0
};

/// The law of one contact element over one step, in contact coordinates. It knows no bodies. The frame is (t, o, n), n
/// from body B towards A. Unknowns z = (q, c, σ), rows in the same order:
///
///     0 ≤ q ⊥ g ≥ 0,    g = d⁺ + δ_n(p)                           (normal)
///     ŝ + (σ + a(g, q)) c = 0                                     (direction of friction: c free, up to three)
///     0 ≤ σ ⊥ (1 − c · c) / 2 ≥ 0                                 (σ the speed of slip, where it slips)
///
///     p_n = P(q),  (p_t, p_o, p_r) = p_n m ∘ c,  ŝ = (m / max m) ∘ s,  s = (u_t, u_o, w) or (u_t + δ̇_t, u_o + δ̇_o, w).
///
/// Friction: m = (m_t, m_o, m_r) = μ (e_t, e_o, e_r) are the semi-axes of the ellipsoid
/// (p_t/m_t)² + (p_o/m_o)² + (p_r/m_r)² ≤ p_n². Among its points the impulse dissipates the most, −p · s: eqs. (4) and
/// (5), exact Coulomb friction. The printed rows of (5) are these times p_n², and lose rank if p_n = 0. Here c, the
/// part of the limit that is used, has a value there as well. If nothing slips either, a(g, q) = g₊²/h (g₊ + h q/mass)
/// makes it zero. At a closed contact (g = 0) a is of second order in round-off, and at a solution it changes nothing.
/// Axes with m = 0 have no unknown; without any there is no σ.
///
/// Layers: every one presses with the impulse p_s = p − p_r e_n, p_r its core's part,
///
///     Kelvin–Voigt      p_s = h K δ⁺ + C (δ⁺ − δ),        0 ≤ p_r ⊥ δ° − δ_n⁺ ≥ 0
///     Hertz             p_s = h K δⁿ,  Hunt–Crossley p_s = h K δ^η (1 + 3/2 c (δ⁺ − δ)/h) along the normal,
///
/// and both bear the same impulse. Each is solved for its deflection, a function δ⁺(p) (layer_deflection.h). Their sum
/// is δ(p) = δ_A(p) + δ_B(p). So layers cost no unknowns, and two in series are as exact as one. A rigid contact is
/// δ(p) = 0, the limit K → ∞ without a change of form. On the core δ_n = δ° whatever p_n. Without p a layer creeps back
/// by its damping.
///
/// q is an impulse, with P(q) = q. If some layer's force is a power η > 1 of its deflection, δ(p_n) is infinitely steep
/// at p_n = 0. Then P(q) = p* (q/p*)^η with a scale p*.
///
/// Source: Chakraborty, Berard, Akella and Trinkle 2007, eqs. (4), (5), (10) to (15). Departures: the spring law is
/// that of p_ns, not of p_ns + p_nr as in (14). The second row of (22) has δ° − δ. The unknowns δ̄, δ, p_ns, p_nr are
/// eliminated, and c replaces p_t, p_o, p_r. The caller measures δ_n⁺ (DeflectionMeasure).
/// Uniqueness: of p for given motion; of a step in general not, as ever with friction.
/// Cost: O(1), no allocation; a Hunt–Crossley layer iterates on one number.
class ContactLaw {
 public:
  /// Scales of the law; results do not depend on them but for round-off.
  struct Scale {
    double mass = 1;      ///< that an impact at the contact feels, kg
    double speed = 1;     ///< change of velocity that matters, m/s
    double length = 0.1;  ///< of the bodies, m: makes torsion comparable
  };

  /// friction: semi-axes m along t and o, and about n (m), ≥ 0. Layers of A and B, of a sound material; none: rigid. If
  /// several elements share a patch, share is this one's part of the layers' stiffness and damping.
  ContactLaw(const Vec3& friction, const std::optional<Layer>& layer_a, const std::optional<Layer>& layer_b,
             SlipKinematics kinematics, const Scale& scale, double share = 1);

  int size() const { return axes_ > 0 ? 2 + axes_ : 1; }
  /// Lower bound of unknown i: 0 of q and σ, −∞ of c. Nothing has an upper bound.
  double lower(int i) const;
  /// Change of unknown i that matters: N s of q, 1/m of c where m > 1 (friction of the size of p_n matters; of torsion
  /// m over the bodies' length), else 1, m/s of σ.
  double unknown_size(int i) const;
  /// Semi-axes m of the friction ellipsoid, along t and o, and about n (m).
  const Vec3& friction() const { return friction_; }
  bool has_layer() const { return layers_[0].has_value() || layers_[1].has_value(); }
  /// Σ δ°, m, at which cores meet. 0 for a rigid contact, infinite for a layer without a core.
  double greatest_deflection() const;

  /// From now on the layers begin to give way at an overlap of slack_a + slack_b, ≥ 0, m. Their cores are nearer by as
  /// much. For contacts that come upon layers which nothing has pressed in. F and its gap are of the caller's
  /// d⁺ + slack().
  void set_slack(double slack_a, double slack_b);
  double slack() const { return slack_[0] + slack_[1]; }
  const std::array<double, 2>& slack_by_side() const { return slack_; }

  /// Part of the friction that acts, 0 to 1; the law's own is 1. For solving in stages: unknowns and rows stay. The
  /// impulses along the surface and about the normal are multiplied by this part.
  void set_acting(double part) { acting_ = part; }

  /// Adds to the slip that friction sees `creep` × the velocity that the impulse gives to the mass of Scale. Adds h
  /// times as much to the gap. The law's own is 0. For solving in stages: with it impulses among many points of rigid
  /// bodies are unique, without it only their sum is.
  void set_creep(double creep) { creep_ = creep; }

  /// F, p and derivatives at z (size()).
  ContactRows rows(const ContactInput& input, const Eigen::Ref<const VectorX>& z) const;
  /// (p_t, p_o, p_n, p_r) of z.
  Eigen::Vector4d impulse(const Eigen::Ref<const VectorX>& z) const;
  /// z of an impulse and a velocity (u_t, u_o, u_n, w), as a start. An impulse outside the cone is moved onto it; q and
  /// σ are kept a little above 0.
  void unknowns(const Eigen::Vector4d& impulse, const Eigen::Vector4d& velocity, Eigen::Ref<VectorX> z) const;
  /// Deflections at the end of the step, for the next one.
  LayerDeflections end(const ContactInput& input, const Eigen::Ref<const VectorX>& z) const;
  /// slow: slip below this is none, m/s (about the normal, by the ratio of semi-axes).
  ElementOutcome outcome(const ContactInput& input, const Eigen::Ref<const VectorX>& z, double slow) const;
  /// Layers at rest under one force along the normal, together pressed in by `depth` > 0, m; no further than their
  /// cores. Not sideways.
  LayerDeflections pressed_in(double depth) const;
  /// Energy of the layers, J: ½ δᵀ K δ of Kelvin–Voigt. If kinematics are of_bodies, only that of the normal, since no
  /// work is done on the other deflections.
  double stored(const LayerDeflections& memory) const;

 private:
  struct Pressed {
    std::array<LayerDeflection, 2> sides;
    Vec3 delta = Vec3::Zero();  // of both
    Mat3 slope = Mat3::Zero();
  };
  NormalImpulse normal(const Eigen::Ref<const VectorX>& z) const;
  Pressed press(const ContactInput& input, const Eigen::Vector4d& p, const NormalImpulse& normal) const;
  Vec3 slip(const ContactInput& input, const Vec3& delta) const;
  void add_friction(const ContactInput& input, const Eigen::Ref<const VectorX>& z, const Pressed& pressed,
                    ContactRows& rows) const;

  Vec3 friction_;
  std::array<std::optional<Layer>, 2> layers_;  // thickness: the rest beyond the slack
  std::array<double, 2> slack_{};
  SlipKinematics kinematics_;
  int axes_ = 0;
  std::array<int, 3> axis_{};  // of the unknowns after q: 0 t, 1 o, 2 r
  double exponent_ = 1, mass_ = 1, speed_ = 1, length_ = 1, widest_ = 1, acting_ = 1, creep_ = 0;
};

}  // namespace carom
