#pragma once

#include <array>

#include "carom/geometry/shape.h"

// The face, edge or corner of a shape's core that looks in a direction.
namespace carom {

/// Corners of a face, in order, or the ends of an edge (two), or nothing (count 0).
struct Feature {
  static constexpr int most_corners = 32;  ///< larger faces of meshes are thinned evenly
  int count = 0;
  std::array<Vec3, most_corners> corners;
  Vec3 normal = Vec3::Zero();  ///< outwards; of faces alone
  bool is_face() const { return count > 2; }
};

/// The face of the core that looks most along the unit vector `direction` (world), or the edge that does where that is
/// no face. For a capsule or a cylinder's side this is the line along it.
Feature feature_towards(const Shape& shape, const Transform& X_WS, const Vec3& direction);

/// The points of a core that lie farthest along a unit vector d, to within 1e-9 of its size. They are a corner, an
/// edge, a whole face or the disc of a cap.
class SupportSet {
 public:
  SupportSet(const Shape& shape, const Transform& X_WS, const Vec3& d);
  bool is_point() const { return count_ == 1; }
  bool is_edge() const { return count_ == 2; }
  const Vec3& corner(int i) const { return corners_[i]; }
  /// The point of the set nearest to p.
  Vec3 nearest(const Vec3& p) const;

 private:
  Vec3 nearest_in_polygon(const Vec3& p) const;
  int count_ = 0;
  std::array<Vec3, Feature::most_corners> corners_;
  Vec3 normal_ = Vec3::Zero();
  double disc_radius_ = 0;  ///< > 0: a disc about corner 0
};

/// The point of A's set in a pair of points whose difference is `apart`, or as nearly so as the two sets allow. Starts
/// from a guess of it. In closed form for points and two edges, else by projecting to and fro.
Vec3 meeting_point(const SupportSet& a, const SupportSet& b, const Vec3& apart, const Vec3& guess_A);

}  // namespace carom
