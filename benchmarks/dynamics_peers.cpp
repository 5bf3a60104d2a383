#include "benchmarks/dynamics_peer.h"

namespace carom::bench {

std::vector<DynamicsPeerKind> dynamics_peers() {
  return {
#ifdef CAROM_HAS_MUJOCO
      {"MuJoCo", make_mujoco_peer},
#endif
#ifdef CAROM_HAS_SIMBODY
      {"Simbody", make_simbody_peer},
#endif
#ifdef CAROM_HAS_DART
      {"DART", make_dart_peer},
#endif
  };
}

}  // namespace carom::bench
