#pragma once

#include <memory>

namespace carom::bench {

/// The triple pendulum of paper PLUS as its ball touches the ground: angles of the pins and their rates.
struct TouchingPendulum {
  double angle[3], rate[3];
};

enum class PeerIntegrator { runge_kutta_merson, semi_explicit_euler };

/// The ball's velocity after the impact, and the processor time that it took.
struct PeerImpact {
  double horizontal = 0, vertical = 0;  ///< of the ball's centre after the impact, m/s
  double seconds = 0;
  int steps = 0;
};

/// Simbody's compliant contacts (its PLUS solver is not compared with: Debian's build of it, without NDEBUG, checks its
/// Jacobian by differences and prints every interval). The bodies move while they touch: figure 15 of paper PLUS by the
/// program that drew it.
class CompliantPeer {
 public:
  virtual ~CompliantPeer() = default;
  /// From the touch to the parting, with Simbody's accuracy.
  virtual PeerImpact run(PeerIntegrator integrator, double accuracy) = 0;
};
std::unique_ptr<CompliantPeer> make_simbody_pendulum(const TouchingPendulum& at, double friction, double modulus);

}  // namespace carom::bench
