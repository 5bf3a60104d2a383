#pragma once

#include <array>
#include <string>
#include <vector>

#include "carom/validation/square_drop_file.h"
#include "carom/validation/toss_protocol.h"

// Protocol by which simulated drops of a square are judged by tracked ones. It is that of the tosses (toss_protocol.h)
// in the xz plane, with drag; here stands which frames of which records are good for it.
//
// First flight. With second differences Δ²q_k = q_{k+1} − 2 q_k + q_{k−1} of (x, z, θ) at frame k, flight misses
//
//   m_k = Δ²q_k + (d ẋ, g + d ż, 0)/f²,    ẋ = (x_{k+1} − x_{k−1}) f/2
//
// Frame k belongs to a flight if |m_k| is at most flight_misfit in each coordinate. The first flight ends with the
// first frame that does not, or that touches, once the square has come near the floor. Frames up to a fault higher up
// are left out, so the flight begins after it.
//
// Faults. High above the floor, in three frames running, nothing can touch the square. If flight misses more than
// lost_shift or lost_turn there, a frame was lost or a marker mistaken. A motion from one frame to the next with more
// energy than the first flight has is no motion of the square either. A drop with such a fault after its first flight
// and before its end is left out whole: a lost frame shifts all later times.
//
// End. Rest as for tosses, by speeds that the noise of the poses does not reach; the record's end without rest.
namespace carom {

struct DropRules {
  std::array<double, 3> flight_misfit{3e-4, 4e-4, 8e-3};  ///< m, m, rad; about four times the noise of Δ²q
  double lost_shift = 1e-3;    ///< m ⎫ misfit of flight high above the floor, from which a frame is lost
  double lost_turn = 25e-3;    ///< rad ⎭
  double high = 0.01;          ///< m between the lowest point and the floor, more than two frames of the fastest fall
  int shortest_flight = 5;     ///< frames
  double energy_excess = 0.1;  ///< of the first flight's energy, kinetic, and potential over the floor at x = 0
  double still_speed = 0.05;   ///< m/s ⎫ rest, as TossProtocol has it: four times the noise of a frame's motion
  double still_spin = 1;       ///< rad/s ⎭
  int still_frames = 14;
  int frames_of_rest = 40;  ///< 0.16 s at 250 Hz, as of the tosses
};

/// Why a drop is left out.
enum class DropFault { none, short_flight, broken_flight, energy };
/// "first flight of fewer than 5 frames", …
std::string fault_text(DropFault fault, const DropRules& rules = {});

/// A drop as it is judged.
struct JudgedDrop {
  DropFault fault = DropFault::none;
  int first = 0;  ///< frame of the record at which its first flight, and the toss, begins
  Toss toss;      ///< from there until after rest; `flight` is set. Empty with a fault
};

/// Premises of the tosses' protocol for these drops.
TossProtocol protocol_of(const SquareDrops& drops, const DropRules& rules = {});

JudgedDrop judge_drop(const SquareDrop& drop, const SquareDrops& drops, const DropRules& rules = {});

}  // namespace carom
