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

/// Frames that are played, ascending: all if there are no more than `largest`. Otherwise the first and the last, then
/// those on both sides of every event and impact (evenly chosen ones where they would take more than half), those in
/// which a coordinate, the overlap or the impulse is at its extreme (up to a quarter), and the rest evenly spaced.
/// O(frames × coordinates).
std::vector<std::size_t> played_frames(const Record& record, std::size_t largest = largest_play);

/// Shapes and bodies:
///
///   bodies    [{name, moves, center}]: of mass, in the body
///   shapes    [{body (−1: world), name, type, pose: [x, y, z, w, x, y, z] in the body, and the type's own numbers}];
///             the discs of rolling constraints are cylinders, the planes below them half-spaces. `behind` is true of
///             those that visuals stand for
///   visuals   the same of what is drawn and does not collide, with color: [red, green, blue, opacity] in sRGB, or
///             null for the body's. Visuals whose mesh has no surface are left out, and nothing on their body is behind
///   notes     sentences on what is drawn otherwise than the model's files have it
///   meshes    [{vertices: base64, triangles: base64}], to which shapes of type `mesh` point
///   grids     [{nx, ny, spacing, heights: base64}], likewise of height fields; thinned to at most 250 000 samples
///   links     [{body, from, to}]: of bodies whose shapes do not show where they are, lines from the centre of mass to
///             their shapes and joints; `behind` where visuals show the body
///   ties      [{name, kind, a, b, from, to}]: rods, ropes and springs, with their ends in the bodies
nlohmann::ordered_json player_geometry(const Model& model, const Appearance& appearance = {});

/// Motion, contacts and impacts:
///
///   times, poses   of the played frames; 7 numbers per body and frame
///   mechanisms     {names, mass_centre, momentum}: of each tree of joints (names is empty where they are more than
///                  largest_mechanisms), three numbers by frame, m and kg m/s
///   recorded       how many frames the record has
///   pairs          [{name, a, b, friction: [x, y], surface}]: what contacts and impacts point to; friction of
///                  what slides
///   modes          names of contact modes
///   contacts       {frames, offsets, rows, idle}: rows offsets[k] to offsets[k + 1] − 1 belong to the played frame
///                  frames[k]; a row is pair, mode, position (3), R_WC as a quaternion (4), impulse (3), velocity (3),
///                  both in the contact frame. Where they are more than largest_contact_rows, those that carry nothing
///                  are left out (idle is false), and then all but those of evenly chosen frames
///   events         {times, kinds}, names in kind_names; at most 4000
///   impacts        player_impacts.h
nlohmann::ordered_json player_data(const Record& record);

}  // namespace carom
