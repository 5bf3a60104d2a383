#pragma once

#include "carom/certificate/evidence.h"
#include "carom/model/model.h"

namespace carom {

/// The end of a step of an integration before it is moved back onto constraints.
struct IntegratedEnd {
  const VectorX& q;
  const VectorX& v;
};

/// Completes the evidence of a step of an integration of length h > 0, s, that tells forces, N or N m. It makes
/// impulses of them, and adds the end q, v and how it was corrected from where the integration led. O(n + rows).
void close_evidence(const Model& model, double h, const IntegratedEnd& led, const VectorX& q, const VectorX& v,
                    StepEvidence& evidence);

}  // namespace carom
