#include "carom/geometry/bullet_normal.h"

#include <BulletCollision/CollisionShapes/btConvexInternalShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include "carom/geometry/core.h"

namespace carom {
namespace {

btVector3 to_bullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

btTransform to_bullet(const Transform& X) {
  const Mat3& R = X.R;
  return btTransform(btMatrix3x3(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)),
                     to_bullet(X.p));
}

/// A core as Bullet's GJK asks for it: by its support alone.
class CoreShape final : public btConvexInternalShape {
 public:
  explicit CoreShape(const Shape& shape) : shape_(shape) {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    m_collisionMargin = 0;
  }
  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& direction) const override {
    Vec3 d = from_bullet(direction);
    const double length = d.norm();
    d = length > 0 ? Vec3(d / length) : Vec3::UnitX();
    return to_bullet(core_support(shape_, d).point);
  }
  btVector3 localGetSupportingVertex(const btVector3& direction) const override {
    return localGetSupportingVertexWithoutMargin(direction);
  }
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* directions, btVector3* points,
                                                         int count) const override {
    for (int i = 0; i < count; ++i) points[i] = localGetSupportingVertexWithoutMargin(directions[i]);
  }
  void calculateLocalInertia(btScalar, btVector3& inertia) const override { inertia.setZero(); }
  void getAabb(const btTransform&, btVector3& lower, btVector3& upper) const override {
    lower.setZero();
    upper.setZero();
  }
  const char* getName() const override { return "core"; }

 private:
  const Shape& shape_;
};

}  // namespace

NormalGuess bullet_normal(const Shape& a, const Transform& X_A, const Shape& b, const Transform& X_B) {
  const CoreShape core_a(a), core_b(b);
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver depth;
  btGjkPairDetector detector(&core_a, &core_b, &simplex, &depth);
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA = to_bullet(X_A);
  input.m_transformB = to_bullet(X_B);
  btPointCollector found;
  detector.getClosestPoints(input, found, nullptr);

  NormalGuess guess;
  guess.normal = from_bullet(found.m_normalOnBInWorld);
  const double length = guess.normal.norm();
  if (found.m_hasResult && length > 0.5) {
    guess.normal /= length;
    guess.p_A = from_bullet(found.m_pointInWorld + found.m_normalOnBInWorld * found.m_distance);
    if (guess.p_A.allFinite()) return guess;
  }
  const Vec3 line = X_A.p - X_B.p;
  guess.normal = line.norm() > 0 ? Vec3(line.normalized()) : Vec3::UnitZ();
  guess.p_A = X_A.p + X_A.R * core_support(a, -(X_A.R.transpose() * guess.normal)).point;
  return guess;
}

}  // namespace carom
