#include "benchmarks/contact_peer.h"

namespace carom::bench {

std::vector<ContactPeerKind> contact_peers() {
  return {
      {"Carom exact", make_carom_exact},
      {"Carom", make_carom_polyhedral},
#ifdef CAROM_HAS_BULLET
      {"Bullet", make_bullet},
#endif
#ifdef CAROM_HAS_ODE
      {"ODE", make_ode},
#endif
#ifdef CAROM_HAS_MUJOCO
      {"MuJoCo", make_mujoco_pyramidal},
      {"MuJoCo elliptic", make_mujoco_elliptic},
#endif
#ifdef CAROM_HAS_DART
      {"DART", make_dart},
#endif
  };
}

}  // namespace carom::bench
