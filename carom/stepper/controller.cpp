#include "carom/stepper/controller.h"

#include <sstream>

#include "carom/counted.h"
#include "carom/error.h"

namespace carom {

void call_controller(const Controller& controller, const Model& model, const State& state, VectorX& force) {
  force.setZero(model.velocity_count());
  if (!controller) return;
  controller(model, state, force);
  if (force.size() == model.velocity_count() && force.allFinite()) return;
  std::ostringstream sentence;
  sentence << "the controller gave " << counted(force.size(), "force", "forces") << " at t = " << state.time
           << " s; it must give " << model.velocity_count() << ", all of them finite";
  throw Error(sentence.str());
}

}  // namespace carom
