#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/contact_scenes.h"

namespace carom::bench {

/// A program's own judgement of its steps so far.
struct ContactAccount {
  // Residuals of the certificate (carom/complementarity/certificate.h), the worst of all steps.
  double natural_map = 0, normal_complementarity = 0;
  long unsolved = 0;
  double contacts = 0, iterations = 0;  ///< of a step, on average
  double idle = 0;                      ///< share of the steps that needed no iteration
  // Shares of the time.
  double kinematics = 0, finding = 0, assembly = 0, solve = 0, account = 0;
};

/// One program that steps one scene.
class ContactPeer {
 public:
  virtual ~ContactPeer() = default;
  /// The whole of a step, finding of contacts included.
  virtual void step() = 0;
  /// Pose of body i, whose frame is that of its shape.
  virtual Transform pose(int i) const = 0;
  /// Nothing for programs that do not judge themselves.
  virtual std::optional<ContactAccount> account() const { return {}; }
};

struct ContactPeerKind {
  std::string name;
  std::unique_ptr<ContactPeer> (*make)(const ContactScene& scene);
};

/// Carom with either cone, and the peers that this build found.
std::vector<ContactPeerKind> contact_peers();

// With the settings that each program has from the start, but for these:
std::unique_ptr<ContactPeer> make_carom_exact(const ContactScene& scene);       ///< cone: exact
std::unique_ptr<ContactPeer> make_carom_polyhedral(const ContactScene& scene);  ///< the default
/// Sequential impulses in double precision, 50 iterations, no sleep.
std::unique_ptr<ContactPeer> make_bullet(const ContactScene& scene);
/// QuickStep, 50 iterations, no sleep, friction by a pyramid in proportion to the normal force.
std::unique_ptr<ContactPeer> make_ode(const ContactScene& scene);
// Newton's method, with room for as many contacts as there are.
std::unique_ptr<ContactPeer> make_mujoco_pyramidal(const ContactScene& scene);
std::unique_ptr<ContactPeer> make_mujoco_elliptic(const ContactScene& scene);
/// Its own collision detector; half-spaces are boxes of 20 m, for it has none.
std::unique_ptr<ContactPeer> make_dart(const ContactScene& scene);

}  // namespace carom::bench
