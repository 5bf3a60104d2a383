#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/dormand_prince.h"
#include "carom/impact/lzb_flow.h"
#include "carom/impact/plastic.h"

namespace carom {

/// Options of following an impact along its impulse.
struct LzbOptions {
  double accuracy = 1e-7;         ///< of a step, relative to the impulses and compressions of the impact
  double slip_tolerance = 1e-5;   ///< slips below this share of the largest speed are none
  double rest_tolerance = 1e-10;  ///< approach speeds below this share of the largest are none
  int max_steps = 20000;          ///< tried; then the impact is ended as a plastic one
};

/// Several contacts struck at once, by the energies that they store (Liu, Zhao and Brogliato, Proc. R. Soc. A 464,
/// 2008, parts 1 and 2). It is the impact of layers of any stiffness, of which only the ratios count, without time.
/// Along the impulse, with λ the normal forces, E the energies, K and η of the surfaces,
///
///     dP_n,i / dP_n,j = λ_i / λ_j,   λ = K^(1/(η+1)) ((η+1) E)^(η/(η+1))                                       (1)
///     dE = −v_n dP_n while v_n < 0,   dE = −v_n dP_n / e² while v_n > 0                                        (2)
///     dP_t = −μ dP_n v_t / ‖v_t‖ sliding;  v_t stays 0 and ‖dP_t‖ ≤ μ dP_n sticking                            (3)
///     v = u + A P
///
/// so that a contact returns e² of what it stored (energetic restitution, Stronge). This also holds if it is compressed
/// again before it has parted: what is left of E carries over. The e used is that of the largest approach speed of the
/// running compression. For a contact alone that is the speed it is struck with; neighbours of that contact have none
/// at the start.
///
/// The curve (1) has the parameter s for which dP_n,i = λ_i ds for all contacts. E is written as the compression z it
/// belongs to, E = K z^(η+1) / (η+1). Then λ = K z^η, and (2) is z′ = −v_n, or −v_n / e². It is the same curve, but
/// without the primary contact that the paper needs, and without its singular start. At z = 0 every rate is finite, and
/// contacts begin in the ratios K_i (−v_n,i s)^η_i by themselves. Departure: a contact that parted and is struck again
/// first closes a gap z < 0, as it would have however stiff the layers were. The paper begins again at E = 0 at once.
/// The wait does not depend on a common factor of the stiffnesses either.
///
/// A surface with a tangential spring has a spring behind the slider instead of (3). Its stiffness is κ times the
/// normal stiffness at the compression z, and it gives back e_t² of what it stores (sprung_slip.h). With κ → ∞ that is
/// (3). The parameter s is then the time of springs that load with the stiffness K and unload with K / e² (Walton and
/// Braun 1986). Linear ones (η = 1) with e = 1 keep all energy while nothing slides.
///
/// Dormand and Prince's pair 5(4) with error control integrates the equations. The ends of compressions, contacts, slip
/// and sticking are located in the step wherever a rate jumps. If sticking forces are not unique, they have the least Σ
/// ‖p_t‖² / p_n. A contact whose slip just ended sticks or slides as zero_slip.h decides. A jam (Painlevé) needs no
/// rule of its own: forces grow until slip ends. The outcome is unique but for the bifurcations of Coulomb's law.
///
/// Energy never rises: a factor on the impulse takes away what round-off of the steps adds. A wedged mechanism can keep
/// energy in the layers for good. The impact then ends when all is at rest, or by max_steps.
///
/// Cost: 6 evaluations of k² operations per step, some tens of steps per impact and contact in turn.
class LzbLaw {
 public:
  /// impulse and velocity: k, p and u + A p. Throws as check_sizes (impact_rows.h). Keeps its buffers.
  [[nodiscard]] ImpactOutcome solve(const ImpactProblem& problem, const LzbOptions& options,
                                    Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity);

 private:
  enum class Progress { on, ended, held };
  void begin(const ImpactProblem& problem, const LzbOptions& options);
  void refresh();
  Progress progress() const;
  void fly();
  double try_step(double h);
  bool advance(double& h, int& tries, int max_tries);
  double locate(double h, double passed, int& tries);
  void finish(const ImpactProblem& problem, ImpactOutcome& outcome, Eigen::Ref<Eigen::VectorXd> impulse,
              Eigen::Ref<Eigen::VectorXd> velocity);

  LzbFlow flow_;
  PlasticLaw plastic_;
  double rest_ = 0, first_step_ = 0, start_passed_ = 0;
  DormandPrince method_;
  std::vector<double> state_, next_, weight_, more_, after_;
};

}  // namespace carom
