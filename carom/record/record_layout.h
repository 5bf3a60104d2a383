#pragma once

#include <array>
#include <string>
#include <vector>

#include "carom/model/model.h"
#include "carom/record/hdf5_file.h"
#include "carom/stepper/method.h"
#include "carom/stepper/step_report.h"

// Content of a record's file, in one place: writer, reader and the manual's table (docs/manual/record-format.md) follow
// it.
namespace carom {

/// Names the tables of a record; record_tables() lists them in this order.
enum class Table : int {
  time,
  step,
  q,
  v,
  standing,
  energy,
  status,
  judged,  ///< the first of judged_numbers, which follow one another
  constraints = judged + judged_count,
  lcp_size,
  iterations,
  solver,
  outputs,  ///< of the scene's formulas
  // Motion of everything in the world, and loads of colliders, joints and constraints (RowsPer::output).
  body_position,
  body_orientation,
  body_velocity,
  body_angular_velocity,
  body_acceleration,
  body_angular_acceleration,
  frame_position,
  frame_orientation,
  frame_velocity,
  frame_angular_velocity,
  frame_acceleration,
  frame_angular_acceleration,
  mechanism_mass_centre,
  mechanism_mass_centre_velocity,
  mechanism_momentum,
  mechanism_angular_momentum,
  collider_force,
  collider_moment,
  collider_centre_of_pressure,
  collider_impulse,
  collider_angular_impulse,
  collider_normal_impulse,
  joint_torque,
  joint_torque_by_source,
  joint_reaction_force,
  joint_reaction_moment,
  constraint_reaction_force,
  constraint_reaction_moment,
  sensors,
  memory_offsets,
  memory_a,
  memory_b,
  memory_feature,
  memory_impulse,
  memory_sliding,
  memory_approach,
  memory_spin_impulse,
  memory_deflection_a,
  memory_deflection_b,
  memory_tangent,
  contact_offsets,
  contact_a,
  contact_b,
  contact_feature,
  contact_body_a,
  contact_body_b,
  contact_mode,
  contact_position,
  contact_frame,
  contact_gap,
  contact_impulse,
  contact_velocity,
  event_time,
  event_step,
  event_kind,
  event_a,
  event_b,
  event_feature,
  event_body_a,
  event_body_b,
  impact_time,
  impact_step,
  impact_status,
  impact_rounds,
  impact_intervals,
  impact_jams,
  impact_energy_change,
  impact_contact_work,
  impact_constraint_work,
  impact_drive_work,
  impact_momentum_residual,
  impact_approach,
  impact_bilateral,
  impact_pull,
  impact_cone_violation,
  impact_dissipation_residual,
  impact_path_residual,
  impact_energy_gain,
  impact_driving_work,
  struck_impact,
  struck_a,
  struck_b,
  struck_feature,
  struck_body_a,
  struck_body_b,
  struck_position,
  struck_frame,
  struck_gap,
  struck_impulse,
  struck_before,
  struck_after,
  interval_impact,
  interval_group,
  interval_round,
  interval_alpha,
  interval_jammed,
  interval_ending,
  interval_status,
  interval_contact_interval,
  interval_contact_struck,
  interval_contact_role,
  interval_contact_motion,
  interval_contact_impulse,
  interval_contact_velocity,
};
inline constexpr int table_count = static_cast<int>(Table::interval_contact_velocity) + 1;

/// The table of one of judged_numbers.
constexpr Table judged_table(int number) { return static_cast<Table>(static_cast<int>(Table::judged) + number); }

/// The ways in which rows of a table are counted. Outputs have one per frame, or none where the scene asks for least.
enum class RowsPer { frame, output, memory, contact, event, impact, struck, interval, interval_contact };
inline constexpr int row_kinds = static_cast<int>(RowsPer::interval_contact) + 1;
RowsPer rows_per(Table table);
/// True if its rows belong to a frame and give way with it; the others stay once they are written.
inline bool belongs_to_frame(RowsPer rows) { return rows <= RowsPer::contact; }

/// Groups that hold tables.
inline constexpr std::array<const char*, 13> table_groups{
    "/memory", "/contacts", "/events",     "/impacts",   "/impact_contacts", "/intervals",       "/interval_contacts",
    "/bodies", "/frames",   "/mechanisms", "/colliders", "/joints",          "/constraint_loads"};

/// Shapes of all tables for a model and the names of the scene's outputs. A table of offsets has one row more than
/// there are frames. Rows offsets[f] to offsets[f + 1] − 1 of its group belong to frame f.
std::vector<TableShape> record_tables(const Model& model, const std::vector<std::string>& outputs = {});
/// That of the outputs alone.
TableShape outputs_table(const std::vector<std::string>& names);

/// Names of the columns of /energy, in the order of energy_lines.
inline constexpr std::array<const char*, 13> energy_columns{
    "kinetic",    "potential",      "kinetic_change",   "potential_change", "damping",
    "drive_work", "joint_friction", "contact_work",     "constraint_work",  "opposed_work",
    "push_out",   "projection",     "free_motion_error"};
inline constexpr std::array<double EnergyLedger::*, 13> energy_lines{
    &EnergyLedger::kinetic,          &EnergyLedger::potential,    &EnergyLedger::kinetic_change,
    &EnergyLedger::potential_change, &EnergyLedger::damping,      &EnergyLedger::drive_work,
    &EnergyLedger::joint_friction,   &EnergyLedger::contact_work, &EnergyLedger::constraint_work,
    &EnergyLedger::opposed_work,     &EnergyLedger::push_out,     &EnergyLedger::projection,
    &EnergyLedger::free_motion_error};

/// Version of this layout, attribute `format` of the file; a reader refuses what it does not know.
inline constexpr std::int64_t record_format = 11;

}  // namespace carom
