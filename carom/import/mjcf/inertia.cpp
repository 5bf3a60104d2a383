#include "carom/import/mjcf/reader.h"

#include "carom/numerics/symmetric_spectrum.h"

namespace carom::mjcf {

SpatialInertia read_inertial(XmlNode& node, Reader& reader) {
  XmlFaults& faults = reader.faults;
  node.take();
  Element element(node);
  SpatialInertia inertia;
  if (!element.has("pos")) faults.add(node, "<inertial> has no pos; it needs the centre of mass");
  const Transform X_BC = read_pose(element, reader.compiler, faults);
  inertia.center = X_BC.p;
  if (!element.has("mass")) faults.add(node, "<inertial> has no mass; it needs one");
  inertia.mass = element.number(faults, "mass", 0);
  if (inertia.mass < 0) faults.add(node, "mass of <inertial> must not be negative");
  const auto diagonal = element.numbers(faults, "diaginertia", 3, 3);
  const auto full = element.numbers(faults, "fullinertia", 6, 6);
  if (diagonal && full) {
    faults.add(node, "<inertial> has both diaginertia and fullinertia; give one of them");
  } else if (diagonal) {
    inertia.central = X_BC.R * diagonal->asDiagonal() * X_BC.R.transpose();
  } else if (full) {
    const VectorX& I = *full;
    inertia.central << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
    if (X_BC.R != Mat3::Identity()) {
      faults.add(node, "<inertial> has both fullinertia and a rotation; fullinertia is in the body's axes");
    }
  } else if (!element.has("diaginertia") && !element.has("fullinertia")) {
    faults.add(node, "<inertial> has neither diaginertia nor fullinertia; it needs one of them");
  }
  return inertia;
}

SpatialInertia bounded_inertia(const SpatialInertia& inertia, const Compiler& compiler) {
  SpatialInertia bounded = inertia;
  bounded.mass = std::max(inertia.mass, compiler.least_mass);
  if (compiler.least_inertia == 0 && !compiler.balance_inertia) return bounded;
  const ThreeSpectrum principal = three_spectrum(inertia.central);
  Vec3 moments = principal.values.cwiseMax(compiler.least_inertia);
  const double largest = moments.maxCoeff(), others = moments.sum() - largest;
  if (largest > others && compiler.balance_inertia) {
    moments.setConstant(moments.mean());
  } else if (moments == principal.values) {
    return bounded;
  }
  bounded.central = principal.vectors * moments.asDiagonal() * principal.vectors.transpose();
  return bounded;
}

}  // namespace carom::mjcf
