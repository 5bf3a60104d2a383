#include "carom/dynamics/workspace.h"

namespace carom {

DynamicsWorkspace::DynamicsWorkspace(const Model& model)
    : X_PB(model.body_count()),
      X_WB(model.body_count()),
      S(model.body_count()),
      V(model.body_count(), Vec6::Zero()),
      bias(model.body_count(), Vec6::Zero()),
      reflected_energy(model.body_count(), 0.0),
      IA(model.body_count(), Mat6::Zero()),
      U(model.body_count()),
      Dinv(model.body_count()),
      scratch_a(model.body_count(), Vec6::Zero()),
      scratch_f(model.body_count(), Vec6::Zero()),
      scratch_I(model.body_count(), Mat6::Zero()) {
  for (int i = 0; i < model.body_count(); ++i) {
    const int size = velocity_size(model.joints()[i]);
    S[i].setZero(6, size);
    U[i].setZero(6, size);
    Dinv[i].setZero(size, size);
  }
}

}  // namespace carom
