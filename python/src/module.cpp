#include "bindings.h"
#include "carom/version.h"

PYBIND11_MODULE(_carom, module) {
  using namespace carom::python;
  module.doc() = "Carom's compiled part; import carom.";
  module.attr("__version__") = CAROM_VERSION;
  bind_errors(module);
  bind_spatial(module);
  bind_shapes(module);
  bind_parts(module);
  bind_model(module);
  bind_builder(module);
  bind_state(module);
  bind_method(module);
  bind_contacts(module);
  bind_simulation(module);
  bind_scenes(module);
  bind_dynamics(module);
  bind_rollout(module);
  bind_records(module);
  bind_compare(module);
  bind_converge(module);
  bind_impact_study(module);
  bind_design(module);
  bind_fit(module);
  bind_solve(module);
  bind_sweep(module);
  bind_loads(module);
}
