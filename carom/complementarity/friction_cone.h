#pragma once

namespace carom {

/// Which friction cone a contact problem is solved with.
enum class FrictionCone {
  polyhedral,  ///< K generators inscribed in the cone, a linear complementarity problem (polyhedral.h)
  exact,       ///< Coulomb's own, a second-order cone (cone_solver.h)
};

}  // namespace carom
