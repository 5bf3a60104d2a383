#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "carom/record/record.h"

// Data of the three-dimensional view of a page, as player/src/recording.js and player/src/shapes.js read them. Numbers
// that are many are float32 in base64 (curve.h); lengths in m, world axes; quaternions are w, x, y, z.
namespace carom {

/// Most frames of a run that a page plays, and most contacts in all of them.
inline constexpr std::size_t largest_play = 2000;
inline constexpr std::size_t largest_contact_rows = 120000;
/// Most trees of joints whose mass centres and momenta a page has.
inline constexpr std::size_t largest_mechanisms = 12;

/// Frames that are played, ascending: all if there are no more than `largest`. Otherwise they are chosen in this order:
///
/// * the first and the last;
/// * those on both sides of every event and impact (evenly chosen ones if these are more than half of `largest`);
/// * those in which a coordinate, the penetration or the impulse is at its extreme (up to a quarter);
/// * the rest evenly spaced.
///
/// O(frames × coordinates).
std::vector<std::size_t> played_frames(const Record& record, std::size_t largest = largest_play);

/// Shapes and bodies:
///
///   `bodies`    [{name, moves, center}]. The center is that of mass, in the body.
///   `shapes`    [{body (−1: world), name, type, pose: [x, y, z, w, x, y, z] in the body, and the type's own numbers}].
///               The discs of rolling constraints are cylinders, the planes below them half-spaces. If visuals are
///               drawn in their place, `behind` is true.
///   `visuals`   The same of what is drawn and does not collide. The color is [red, green, blue, opacity] in sRGB, or
///               null for the body's. Visuals whose mesh has no surface are left out, and nothing on their body is
///               behind.
///   `notes`     Sentences on what is drawn otherwise than the model's files have it.
///   `meshes`    [{vertices: base64, triangles: base64}]. Shapes of type `mesh` point to them.
///   `grids`     [{nx, ny, spacing, heights: base64}]. Height fields point to them; thinned to at most 250 000 samples.
///   `links`     [{body, from, to}]. For bodies whose shapes do not show where they are: lines from the centre of mass
///               to their shapes and joints. If visuals show the body, `behind` is true.
///   `ties`      [{name, kind, a, b, from, to}]. Rods, ropes and springs, with their ends in the bodies.
nlohmann::ordered_json player_geometry(const Model& model, const Appearance& appearance = {});

/// Motion, contacts and impacts:
///
///   `times`        Of the played frames.
///   `poses`        Of the played frames, 7 numbers per body and frame.
///   `mechanisms`   {names, mass_centre, momentum}. For each tree of joints three numbers by frame, m and kg m/s. If
///                  there are more than largest_mechanisms, `names` is empty.
///   `recorded`     The number of frames in the record.
///   `step`         Length of a step, s: the contacts' impulses are those of one.
///   `pairs`        [{name, a, b, friction: [x, y], surface}]. Contacts and impacts point to them. The friction is that
///                  of sliding.
///   `modes`        Names of contact modes.
///   `contacts`     {frames, offsets, rows, idle}. Rows offsets[k] to offsets[k + 1] − 1 belong to the played frame
///                  frames[k]. A row is pair, mode, position (3), R_WC as a quaternion (4), impulse (3), velocity (3).
///                  The last two are in the contact frame. If there are more than largest_contact_rows, those that
///                  carry nothing are left out (idle is false). If there still are, only evenly chosen frames keep
///                  theirs.
///   `events`       {times, kinds}. Their names are in kind_names. At most 4000.
///   `impacts`      See player_impacts.h.
nlohmann::ordered_json player_data(const Record& record);

}  // namespace carom
