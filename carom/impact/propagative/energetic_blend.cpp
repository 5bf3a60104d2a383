#include "carom/impact/propagative/energetic_blend.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "carom/error.h"

namespace carom {

EnergeticBlend energetic_blend(const NormalOutcome& elastic, const NormalOutcome& plastic, double e,
                               EnergyReading reading) {
  if (!(e >= 0 && e <= 1)) {
    throw Error("the restitution of an energetic blend is " + std::to_string(e) + "; it would lie between 0 and 1");
  }
  const Eigen::VectorXd impulse = elastic.impulse - plastic.impulse;
  const Eigen::VectorXd velocity = elastic.velocity - plastic.velocity;
  const double a = std::max(0.0, 0.5 * impulse.dot(velocity));
  const double b = std::max(0.0, impulse.dot(plastic.velocity));
  const double r = reading == EnergyReading::speeds ? e * e : e;
  EnergeticBlend blend;
  const double root = b + std::sqrt(b * b + 4 * a * r * (a + b));
  if (e == 1) {
    blend.weight = 1;
  } else if (root > 0) {
    blend.weight = std::min(1.0, 2 * r * (a + b) / root);
  }
  blend.lost_energy = (1 - r) * (a + b);
  blend.impulse = plastic.impulse + blend.weight * impulse;
  blend.velocity = plastic.velocity + blend.weight * velocity;
  return blend;
}

}  // namespace carom
