#pragma once

namespace carom {

/// Which slip friction sees at a layer that gives way along the surface.
enum class SlipKinematics {
  of_bodies,  ///< that of the bodies, u: deflections along the surface follow from friction and feed back into nothing
              ///< (Chakraborty et al. 2007, as printed)
  of_layers,  ///< that of the layers' surfaces, u + δ̇: friction acts through the springs along the surface
};

}  // namespace carom
