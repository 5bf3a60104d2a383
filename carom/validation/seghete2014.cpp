#include "carom/validation/seghete2014.h"

#include "carom/validation/seghete2014_examples.h"
#include "carom/validation/seghete2014_trex.h"

namespace carom {

Validation validate_seghete2014(const ValidationOptions& options) {
  Validation validation;
  validation.name = seghete2014::source;
  seghete2014::validate_cradles(options, validation);
  seghete2014::validate_billiard(options, validation);
  seghete2014::validate_spheres(options, validation);
  seghete2014::validate_trex(options, validation);
  return validation;
}

}  // namespace carom
