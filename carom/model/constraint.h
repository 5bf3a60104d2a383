#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "carom/model/coordinate_share.h"
#include "carom/model/time_function.h"
#include "carom/spatial/transform.h"

namespace carom {

/// Demand of a constraint between two bodies, or on joint coordinates. F is a frame fixed in body A and G one in body
/// B (either may be the world). Their origins are p_F and p_G, their axes x, y, z; n = z_G.
///
/// kind            | rows | holds                                                       | position level
/// ball            | 3    | p_F = p_G                                                   | yes
/// weld            | 6    | p_F = p_G, R_FG = I                                         | yes
/// hinge           | 5    | p_F = p_G, z_F = z_G                                        | yes
/// rod             | 1    | ‖p_F − p_G‖ = length                                        | yes
/// point_on_plane  | 1    | n · (p_F − p_G) = 0                                         | yes
/// coupler         | 1    | q_A = Σ ratio q + offset, of joint coordinates              | yes
/// motion          | 1    | q_A = target(t), of one joint coordinate                     | yes
/// rope            | –    | ‖p_F − p_G‖ ≤ length: unilateral, found with the contacts   | yes
/// tendon          | –    | lower ≤ Σ ratio q ≤ upper, of joint coordinates: likewise   | yes
/// blade           | 1    | y_F · velocity of p_F relative to B = 0 (a skate)           | no
/// rolling         | 3    | a disc of `radius` about z_F, centred at p_F, touches the   | its normal row
///                 |      | plane through p_G with normal n at its lowest point, which  |
///                 |      | does not move relative to B                                 |
/// spring          | –    | nothing: p_F and p_G pull each other by the tension          | no
///                 |      | stiffness (‖p_F − p_G‖ − length) + damping d‖p_F − p_G‖/dt   |
///
/// G may move along a prescribed path relative to B. A weld or a ball to a path in the world prescribes the motion of a
/// body, or of one of its points. These are paper DCA's terms δg/δt.
///
/// Constraints without a position level are non-holonomic: they restrict velocities, and no position violates them.
enum class ConstraintKind {
  ball,
  weld,
  hinge,
  rod,
  point_on_plane,
  coupler,
  motion,
  rope,
  tendon,
  blade,
  rolling,
  spring
};

/// The names that scene files use.
std::string constraint_name(ConstraintKind kind);
/// Scalar bilateral rows of a constraint of this kind.
int row_count(ConstraintKind kind);
/// True if it forbids some motions, as all kinds but springs do.
bool restricts_motion(ConstraintKind kind);
/// True if it is a demand on joint coordinates (coupler, motion, tendon), not on two bodies.
bool is_of_coordinates(ConstraintKind kind);
/// True if it pushes one way and is found with the contacts (rope, tendon).
bool is_unilateral(ConstraintKind kind);

/// Tensions that a spring has. A band, a bungee cord or a ligament is slack where it is shorter than its length, a
/// buffer where it is longer.
enum class SpringSide { both, pull, push };
/// "both", "pull", "push": the names that scene files use.
std::string spring_side_name(SpringSide side);

/// Place of a frame that moves, relative to its place at rest: first moved by `position`, then turned about `axis`.
struct FramePath {
  std::array<TimeFunction, 3> position = {};  ///< m, in the axes of the place at rest
  Vec3 axis = Vec3::UnitZ();                  ///< unit length, likewise
  TimeFunction angle = {};                    ///< rad
  bool moves = false;                         ///< false: the frame stays where it is, and the rest is unused

  Transform pose(double t) const;
  /// Angular velocity, then that of the origin, in the axes of the place at rest.
  Vec6 velocity(double t) const;
};

/// A constraint beside the tree of joints. It closes a loop, couples coordinates, bounds a sum of them, prescribes a
/// motion, lets a body roll, or is a spring between two points.
struct Constraint {
  std::string name = {};
  ConstraintKind kind = ConstraintKind::ball;
  int body_a = -1;  ///< −1: the world. Of a coupler or motion the body whose inboard joint has the coordinate q_A;
                    ///< unused by a tendon
  int body_b = -1;  ///< −1: the world; unused where coordinates are constrained
  Transform X_AF = {};
  Transform X_BG = {};
  FramePath path = {};     ///< of G relative to X_BG, for all kinds that use G
  double length = 0;       ///< of a rod or rope, m, > 0; of a spring without tension, m, ≥ 0
  double radius = 0;       ///< of a rolling disc, m, > 0
  double restitution = 0;  ///< of a rope that tightens, or a tendon that reaches an end of its range, in [0, 1]
  int coordinate_a = 0;    ///< of a coupler or motion: which of the joint's coordinates
  std::vector<CoordinateShare> shares = {};  ///< of a coupler what q_A follows, of a tendon what it is the sum of; each
                                             ///< coordinate once
  double offset = 0;                         ///< of a coupler: q_A where all of these are zero, rad or m
  double lower = -std::numeric_limits<double>::infinity();  ///< of a tendon; −∞: none
  double upper = std::numeric_limits<double>::infinity();   ///< likewise, > lower; ∞: none
  TimeFunction target = {};                                 ///< of a motion, rad or m
  double stiffness = 0;                                     ///< of a spring, N/m, ≥ 0
  double damping = 0;  ///< of a spring that acts on both sides, N s/m, ≥ 0; one of the two is positive
  SpringSide side = SpringSide::both;

  /// Calls f(body) for every body that it acts on, −1 for the world.
  template <typename F>
  void for_each_body(F&& f) const {
    if (!is_of_coordinates(kind) || kind == ConstraintKind::motion || kind == ConstraintKind::coupler) f(body_a);
    if (!is_of_coordinates(kind)) f(body_b);
    for (const CoordinateShare& share : shares) f(share.body);
  }
};

}  // namespace carom
