#pragma once

#include <memory>
#include <string>
#include <vector>

#include "benchmarks/contact_scenes.h"

namespace carom {
struct RunCertificate;
}

namespace carom::bench {

/// One program that steps one scene.
class ContactPeer {
 public:
  virtual ~ContactPeer() = default;
  /// The whole of a step, finding of contacts included.
  virtual void step() = 0;
  /// Of body i, whose frame is that of its shape.
  virtual Transform pose(int i) const = 0;
  /// Of the steps so far; null for programs that do not judge themselves.
  virtual const RunCertificate* certificate() const { return nullptr; }
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
