#pragma once

#include <Eigen/Core>
#include <string>

#include "carom/complementarity/contact_problem.h"

namespace carom {

/// How well an impulse solves a contact problem, computed from the problem and the impulse alone. Dimensionless numbers
/// are relative to the problem's own sizes: impulses to the largest ‖p_i‖, velocities to the largest ‖u_i‖ of a block.
struct SolveCertificate {
  double normal_complementarity = 0;  ///< max |min(p_n − floor, u_n⁺ + offset)|, relative
  double cone_violation = 0;          ///< max of ‖p_t‖ in units of the friction ellipse above p_n, relative
  double dissipation_residual =
      0;  ///< max over cones of (μ p_n ‖u_t⁺‖ + p_t·u_t⁺) beyond what the polyhedron explains, relative
  double polyhedral_error = 0;  ///< the part of it that the polyhedral cone explains; 0 for an exact cone
  double natural_map = 0;       ///< of the exact cone (design: certificate); meaningful for end-of-step Coulomb contact
  double contact_work = 0;      ///< Σ ½ (u⁺ + u)ᵀ p less push_out, J
  double push_out = 0;          ///< Σ max(0, u_n⁺ p_n) where the gap was negative, J
  double worst_work = 0;        ///< largest u⁺ᵀ p of one block less its push_out, J
  int worst_block = -1;         ///< the block that has it; −1 if none is positive
};

/// `directions`: generators of the polyhedral cone that the impulse was solved with, 0 for the exact cone. O(k²).
SolveCertificate certify(const ContactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& impulse,
                         int directions);

}  // namespace carom
