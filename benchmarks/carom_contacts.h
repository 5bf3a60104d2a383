#pragma once

#include "benchmarks/contact_scenes.h"
#include "carom/contact/contact_finder.h"
#include "carom/dynamics/recursions.h"
#include "carom/model/model.h"
#include "carom/model/state.h"

namespace carom::bench {

/// The scene as Carom has it. Free bodies in the scene's order: seven coordinates each.
std::shared_ptr<const Model> carom_model(const ContactScene& scene);

/// Its bodies where the scene has them, at rest.
State carom_start(const ContactScene& scene);

/// Measures any program's poses by Carom's own gaps.
class OverlapGauge {
 public:
  explicit OverlapGauge(const ContactScene& scene);
  /// The deepest overlap of any two shapes, m; 0 where none overlap.
  double deepest(const std::vector<Transform>& poses);

 private:
  std::shared_ptr<const Model> model_;
  DynamicsWorkspace workspace_;
  ContactFinder finder_;
  VectorX q_;
};

}  // namespace carom::bench
