#pragma once

#include <algorithm>

namespace carom {

/// Tangential elasticity of a contact while an impact lasts: a spring between the two surfaces along the contact plane,
/// behind Coulomb's slider. Contacts that stick wind it up and spring back. A datum.
struct TangentialSpring {
  /// Relative to the normal stiffness, > 0. Bodies of one elastic material have 2 (1 − ν)/(2 − ν) (Mindlin 1949), 0.82
  /// with ν = 0.3.
  double stiffness = 0.82;
  double restitution = 1;  ///< e_t: the spring gives back e_t² of what it stores, 0 to 1
  /// 1/e_t² − 1: what unwinding loses over the work that it does. A spring that gives back nothing would unwind faster
  /// than steps can follow. So e_t counts as 0.02 at least, which gives back 0.0004 of what is stored.
  double unwinding_loss() const {
    const double e = std::clamp(restitution, 0.02, 1.0);
    return 1 / (e * e) - 1;
  }
  bool operator==(const TangentialSpring&) const = default;
};

}  // namespace carom
