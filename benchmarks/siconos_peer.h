#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/contact_problem.h"

namespace carom::bench {

/// The solvers of Debian's Siconos numerics that Carom is compared with. They run through its drivers with its default
/// options, except for the tolerance and a larger budget of iterations.
enum class SiconosMethod {
  nsgs,    ///< exact cone: non-smooth Gauss–Seidel
  prox,    ///< exact cone: proximal points, inner solver NSN_AC
  nsn_ac,  ///< exact cone: semismooth Newton on Alart and Curnier's function
  admm,    ///< exact cone
  lemke,   ///< LCP: lcp_lexicolemke
};
const char* name(SiconosMethod method);

/// False in a build without the library; no other function may then be called.
bool siconos_is_there();

struct SiconosRun {
  double seconds = 0;  ///< processor time of the solver alone
  bool converged = false;
};

/// A contact problem of cones with isotropic friction, as Siconos wants it: dense, normal first.
class SiconosConeProblem {
 public:
  explicit SiconosConeProblem(const ContactProblem& problem);
  /// From zero. `converged` is what the solver thinks of itself.
  SiconosRun solve(SiconosMethod method, double tolerance);
  /// In Carom's order.
  Eigen::VectorXd impulse() const;

 private:
  int contacts_ = 0;
  Eigen::MatrixXd W_;
  Eigen::VectorXd q_, reaction_, velocity_;
  std::vector<double> friction_;
};

/// The LCP 0 ≤ R z + q ⊥ z ≥ 0.
SiconosRun solve_siconos_lcp(const Eigen::MatrixXd& R, const Eigen::VectorXd& q, Eigen::VectorXd& z);

}  // namespace carom::bench
