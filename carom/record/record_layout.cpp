#include "carom/record/record_layout.h"

#include "carom/record/part_names.h"

namespace carom {
namespace {

/// Names of the values 0 to `last` of an enumeration.
template <class Kind>
std::vector<std::string> names_up_to(Kind last, std::string (*name)(Kind)) {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(last); ++i) names.push_back(name(static_cast<Kind>(i)));
  return names;
}

TableShape real(std::string path, std::vector<int> row, std::string unit, std::string meaning,
                std::vector<std::string> columns = {}) {
  return {std::move(path),    Scalar::real, std::move(row), std::move(unit), std::move(meaning),
          std::move(columns), {},           false};
}

TableShape integer(std::string path, std::string meaning) {
  return {std::move(path), Scalar::integer, {}, "", std::move(meaning), {}, {}, false};
}

TableShape choice(std::string path, std::string meaning, std::vector<std::string> names) {
  return {std::move(path), Scalar::choice, {}, "", std::move(meaning), {}, std::move(names), false};
}

void add_frame_tables(const Model& model, std::vector<TableShape>& tables) {
  const std::vector<std::string> energies(energy_columns.begin(), energy_columns.end());
  tables.push_back(real("/time", {}, "s", "time of the frame"));
  tables.push_back(integer("/step", "steps taken since the scene's start"));
  tables.push_back(
      real("/q", {model.position_count()}, "m, rad; quaternions", "positions; /scene/positions names the columns"));
  tables.push_back(
      real("/v", {model.velocity_count()}, "m/s, rad/s", "velocities; /scene/velocities names the columns"));
  tables.push_back(real("/standing", {standing_row_count(model)}, "N s, N m s",
                        "impulses that the next step starts from, of constraints, dry friction in joints, servos and "
                        "springs between points"));
  tables.push_back(real("/energy", {static_cast<int>(energies.size())}, "J",
                        "energies now, and the ledger's lines summed since the scene's start", energies));
  tables.push_back(choice("/status", "how the contact problems since the frame before were solved",
                          names_up_to(SolveStatus::infeasible, status_name)));
  for (const JudgedNumber& number : judged_numbers) {
    tables.push_back(real(std::string("/") + number.name, {}, number.unit,
                          std::string(number.meaning) + "; largest since the frame before"));
  }
  tables.push_back(integer("/constraints", "largest count of contacts and limits in one problem, likewise"));
  tables.push_back(
      integer("/lcp_size", "size of the largest problem, likewise: of the LCP, or rows with the exact cone"));
  tables.push_back(integer("/iterations", "most pivots, or sweeps and Newton steps, of one solve, likewise"));
  tables.push_back(choice("/solver", "the method that took them", names_up_to(SolverKind::multipliers, solver_name)));
}

/// Tables of `count` named things, `numbers` of each in a row.
void add_places(const std::string& group, const std::string& of, const std::vector<std::string>& names,
                std::vector<TableShape>& tables) {
  const int count = static_cast<int>(names.size());
  const auto table = [&](const char* name, int numbers, const char* unit, const std::string& meaning) {
    tables.push_back(real(group + "/" + name, {count, numbers}, unit, meaning, names));
  };
  table("position", 3, "m", "origin of the frame of each " + of + ", world; x, y, z");
  table("orientation", 4, "1", "rotation from the frame of each " + of + " to the world, w, x, y, z with w >= 0");
  table("velocity", 3, "m/s", "of that origin, world");
  table("angular_velocity", 3, "rad/s", "of that frame, world");
  table("acceleration", 3, "m/s^2", "mean since the frame before: change of velocity over time; NaN in the first");
  table("angular_acceleration", 3, "rad/s^2", "mean since the frame before, likewise");
}

/// Tables of how everything moves in the world, and of what contacts do to colliders.
void add_output_tables(const Model& model, std::vector<TableShape>& tables) {
  add_places("/bodies", "body", body_names(model), tables);
  add_places("/frames", "named frame", frame_names(model), tables);
  const auto table = [&](const char* path, const std::vector<std::string>& names, const char* unit,
                         const char* meaning) {
    tables.push_back(real(path, {static_cast<int>(names.size()), 3}, unit, meaning, names));
  };
  const std::vector<std::string> trees = mechanism_names(model), colliders = collider_names(model);
  table("/mechanisms/mass_centre", trees, "m", "centre of mass of each tree of joints, world; x, y, z");
  table("/mechanisms/mass_centre_velocity", trees, "m/s", "its velocity");
  table("/mechanisms/momentum", trees, "kg m/s", "linear momentum of the tree, world");
  table("/mechanisms/angular_momentum", trees, "kg m^2/s", "angular momentum about the centre of mass, world");
  table("/colliders/force", colliders, "N", "mean contact force on each collider since the frame before, world");
  table("/colliders/moment", colliders, "N m", "mean moment of these about the centre of pressure, world");
  table("/colliders/centre_of_pressure", colliders, "m",
        "contact points weighted by normal impulses since the frame before, world; NaN where nothing pressed");
  table("/colliders/impulse", colliders, "N s", "contact impulse on each collider since the frame before, world");
  table("/colliders/angular_impulse", colliders, "N m s", "its moment about the world's origin, likewise");
  tables.push_back(real("/colliders/normal_impulse", {static_cast<int>(colliders.size())}, "N s",
                        "sum of the normal impulses of the contacts, likewise", colliders));
}

/// Loads of joints and constraints.
void add_load_tables(const Model& model, std::vector<TableShape>& tables) {
  const auto table = [&](const char* path, const std::vector<std::string>& names, const char* unit,
                         const char* meaning) {
    tables.push_back(real(path, {static_cast<int>(names.size()), 3}, unit, meaning, names));
  };
  const std::vector<std::string> torques = torque_names(model), sources = torque_source_names(model),
                                 joints = jointed_names(model), constraints = constraint_names(model);
  tables.push_back(
      real("/joints/torque", {static_cast<int>(torques.size())}, "N m, N",
           "mean generalized force of all that acts in the joint on each coordinate since the frame before", torques));
  tables.push_back(real("/joints/torque_by_source", {static_cast<int>(sources.size())}, "N m, N",
                        "its parts by what makes them", sources));
  table("/joints/reaction_force", joints, "N",
        "mean force that the joint passes on from parent to child since the frame before, world; x, y, z");
  table("/joints/reaction_moment", joints, "N m",
        "mean moment of it about the origin of the joint's frame on the child, world");
  table("/constraint_loads/force", constraints, "N",
        "mean force of each constraint on its body a since the frame before, world; on body b the opposite");
  table("/constraint_loads/moment", constraints, "N m",
        "mean moment of it about the origin of the constraint's frame on a, world");
  std::vector<std::string> sensors;
  for (const Sensor& sensor : model.sensors()) {
    for (const auto& [name, unit] : sensor_columns(sensor)) sensors.push_back(name);
  }
  tables.push_back(real("/sensors", {static_cast<int>(sensors.size())}, "m/s^2, rad/s, N, N m, m",
                        "what sensors read, mean since the frame before; angular velocities at the frame", sensors));
}

void add_memory_tables(std::vector<TableShape>& tables) {
  tables.push_back(integer("/memory/offsets",
                           "rows offsets[f] to offsets[f + 1] - 1 are what the stepper remembers at "
                           "frame f"));
  tables.push_back(integer("/memory/a", "collider A, or -1 for a joint's limit or ratchet, -2 for a rope"));
  tables.push_back(integer("/memory/b", "collider B, or the velocity coordinate of the joint, or the rope's number"));
  tables.push_back(integer(
      "/memory/feature", "which points of the two; of a joint 0 lower, 1 upper limit, 2 forward, 3 backward ratchet"));
  tables.push_back(real("/memory/impulse", {3}, "N s",
                        "impulse on A that the next step starts from, world axes; of a limit or rope z alone",
                        {"x", "y", "z"}));
  tables.push_back(integer("/memory/sliding", "1 if it slipped at the end of the step"));
  tables.push_back(
      real("/memory/approach", {}, "m/s",
           "approach that is owed a rebound in the next step (stepper hybrid-dca); of a limit in its unit"));
  tables.push_back(real("/memory/spin_impulse", {}, "N m s", "last friction moment's about the normal, on A"));
  for (const char side : {'a', 'b'}) {
    tables.push_back(real(std::string("/memory/deflection_") + side, {3}, "m",
                          "of the layer of this side, along the contact's t, o, n; else 0", {"t", "o", "n"}));
  }
  tables.push_back(
      real("/memory/tangent", {3}, "1", "t of a contact whose geometry is implicit, world; else 0", {"x", "y", "z"}));
}

void add_contact_tables(std::vector<TableShape>& tables) {
  tables.push_back(integer("/contacts/offsets", "rows offsets[f] to offsets[f + 1] - 1 belong to frame f"));
  tables.push_back(integer("/contacts/a", "collider A, or -1 for a joint's limit or ratchet, -2 for a rope"));
  tables.push_back(integer("/contacts/b", "collider B, or the velocity coordinate of the joint, or the rope's number"));
  tables.push_back(
      integer("/contacts/feature",
              "which points of the two; of a joint 0 lower, 1 upper limit, 2 forward, 3 backward ratchet"));
  tables.push_back(integer("/contacts/body_a", "body of A, -1 the world; for a limit the child"));
  tables.push_back(integer("/contacts/body_b", "body of B, -1 the world; for a limit the parent"));
  tables.push_back(
      choice("/contacts/mode", "what the contact did in the step", names_up_to(ContactMode::closed, mode_name)));
  tables.push_back(real("/contacts/position", {3}, "m", "point on the surface of A, world", {"x", "y", "z"}));
  tables.push_back(
      real("/contacts/frame", {3, 3}, "1", "rotation R_WC: its columns are x, y and the normal from B to A"));
  tables.push_back(real("/contacts/gap", {}, "m, rad", "signed distance where the step was linearised"));
  tables.push_back(real("/contacts/impulse", {3}, "N s", "on A, contact frame", {"x", "y", "normal"}));
  tables.push_back(real("/contacts/velocity", {3}, "m/s", "of A relative to B at the step's end, contact frame",
                        {"x", "y", "normal"}));
}

void add_event_tables(std::vector<TableShape>& tables) {
  tables.push_back(real("/events/time", {}, "s", "end of the step in which it was found"));
  tables.push_back(integer("/events/step", "number of that step"));
  tables.push_back(choice("/events/kind", "what happened", names_up_to(EventKind::impact, event_name)));
  tables.push_back(integer("/events/a", "collider A, or -1 for a joint's limit or ratchet, -2 for a rope"));
  tables.push_back(integer("/events/b", "collider B, or the velocity coordinate of the joint, or the rope's number"));
  tables.push_back(integer(
      "/events/feature", "which points of the two; of a joint 0 lower, 1 upper limit, 2 forward, 3 backward ratchet"));
  tables.push_back(integer("/events/body_a", "body of A, -1 the world"));
  tables.push_back(integer("/events/body_b", "body of B, -1 the world"));
}

void add_impact_tables(std::vector<TableShape>& tables) {
  tables.push_back(real("/impacts/time", {}, "s", "instant of the impact"));
  tables.push_back(integer("/impacts/step", "number of the step that it is in"));
  tables.push_back(choice("/impacts/status", "how the impact law ended; of all groups of contacts the worst",
                          names_up_to(ImpactStatus::inconsistent, impact_status_name)));
  tables.push_back(integer("/impacts/rounds", "rounds of compression and expansion; 1 for laws without"));
  tables.push_back(integer("/impacts/intervals", "steps along the impulse; 1 for laws without"));
  tables.push_back(integer("/impacts/jams", "contacts whose slip a tangential impact stopped"));
  tables.push_back(real("/impacts/energy_change", {}, "J", "of kinetic energy, 1/2 (u+ + u) p over all rows"));
  tables.push_back(real("/impacts/contact_work", {}, "J", "the part of contacts, stops and ropes"));
  tables.push_back(real("/impacts/constraint_work", {}, "J", "the part of constraints, against the rates prescribed"));
  tables.push_back(real("/impacts/drive_work", {}, "J", "the part of prescribed motions: rate times impulse"));
  tables.push_back(
      real("/impacts/momentum_residual", {}, "1", "change of momentum against all impulses, kinetic metric, relative"));
  tables.push_back(real("/impacts/approach", {}, "1", "largest approach speed left, of the impact's largest velocity"));
  tables.push_back(real("/impacts/bilateral", {}, "1", "largest velocity that a constraint is off by, likewise"));
  tables.push_back(real("/impacts/pull", {}, "1", "largest pull of a contact, of the largest impulse"));
  tables.push_back(real("/impacts/cone_violation", {}, "1", "friction beyond its limit, likewise"));
  tables.push_back(
      real("/impacts/dissipation_residual", {}, "1",
           "largest work of a contact's friction in one interval, relative; NaN where the law tells none"));
  tables.push_back(real("/impacts/path_residual", {}, "1",
                        "intervals that do not add up to the impact, relative; NaN where the law tells none"));
  tables.push_back(real("/impacts/energy_gain", {}, "1", "what energy_change is above 0, relative"));
  tables.push_back(real("/impacts/driving_work", {}, "J", "largest work that one contact gave"));
}

void add_struck_tables(std::vector<TableShape>& tables) {
  tables.push_back(integer("/impact_contacts/impact", "row of its impact in /impacts"));
  tables.push_back(integer("/impact_contacts/a", "collider A, or -1 for a joint's limit or ratchet, -2 for a rope"));
  tables.push_back(
      integer("/impact_contacts/b", "collider B, or the velocity coordinate of the joint, or the rope's number"));
  tables.push_back(
      integer("/impact_contacts/feature",
              "which points of the two; of a joint 0 lower, 1 upper limit, 2 forward, 3 backward ratchet"));
  tables.push_back(integer("/impact_contacts/body_a", "body of A, -1 the world; for a limit the child"));
  tables.push_back(integer("/impact_contacts/body_b", "body of B, -1 the world; for a limit the parent"));
  tables.push_back(real("/impact_contacts/position", {3}, "m", "point on the surface of A, world", {"x", "y", "z"}));
  tables.push_back(
      real("/impact_contacts/frame", {3, 3}, "1", "rotation R_WC: its columns are x, y and the normal from B to A"));
  tables.push_back(real("/impact_contacts/gap", {}, "m, rad", "signed distance at the impact"));
  tables.push_back(real("/impact_contacts/impulse", {3}, "N s", "on A, contact frame", {"x", "y", "normal"}));
  tables.push_back(
      real("/impact_contacts/before", {3}, "m/s", "velocity of A relative to B, contact frame", {"x", "y", "normal"}));
  tables.push_back(real("/impact_contacts/after", {3}, "m/s", "the same after the impact", {"x", "y", "normal"}));
}

void add_interval_tables(std::vector<TableShape>& tables) {
  tables.push_back(integer("/intervals/impact", "row of its impact in /impacts"));
  tables.push_back(
      integer("/intervals/group", "group of contacts that know nothing of the others, from 0 in each impact"));
  tables.push_back(integer("/intervals/round", "round of the group, from 0"));
  tables.push_back(real("/intervals/alpha", {}, "1", "length, as a part of what was left of the round"));
  tables.push_back(integer("/intervals/jammed", "1 for a tangential impact"));
  tables.push_back(integer("/intervals/ending", "1 for the one that ends a group whose budget of rounds is spent"));
  tables.push_back(choice("/intervals/status", "how its active set ended",
                          names_up_to(LabelStatus::inconsistent, label_status_name)));
  tables.push_back(integer("/interval_contacts/interval", "row of its interval in /intervals"));
  tables.push_back(integer("/interval_contacts/contact", "row of the contact in /impact_contacts"));
  tables.push_back(choice("/interval_contacts/role", "what the contact does in the round",
                          names_up_to(PlusRole::holding, role_name)));
  tables.push_back(choice("/interval_contacts/motion", "what it does in the interval",
                          names_up_to(PlusMotion::sliding, motion_name)));
  tables.push_back(
      real("/interval_contacts/impulse", {3}, "N s", "of the interval, on A, contact frame", {"x", "y", "normal"}));
  tables.push_back(real("/interval_contacts/velocity", {3}, "m/s",
                        "of A relative to B at the interval's end, contact frame", {"x", "y", "normal"}));
}

}  // namespace

namespace {

/// Velocities, what follows from them, and directions.
bool changes_in_every_digit(const std::string& path) {
  const bool motion = path.starts_with("/bodies/") || path.starts_with("/frames/");
  return path == "/v" || path.starts_with("/mechanisms/") || (motion && !path.ends_with("/position"));
}

}  // namespace

RowsPer rows_per(Table table) {
  if (table >= Table::interval_contact_interval) return RowsPer::interval_contact;
  if (table >= Table::interval_impact) return RowsPer::interval;
  if (table >= Table::struck_impact) return RowsPer::struck;
  if (table >= Table::impact_time) return RowsPer::impact;
  if (table >= Table::event_time) return RowsPer::event;
  if (table > Table::contact_offsets) return RowsPer::contact;
  if (table >= Table::body_position && table <= Table::sensors) return RowsPer::output;
  if (table == Table::contact_offsets || table <= Table::memory_offsets) return RowsPer::frame;
  return RowsPer::memory;
}

TableShape outputs_table(const std::vector<std::string>& names) {
  return real("/outputs", {static_cast<int>(names.size())}, "", "formulas that the scene gives under outputs", names);
}

std::vector<TableShape> record_tables(const Model& model, const std::vector<std::string>& outputs) {
  std::vector<TableShape> tables;
  add_frame_tables(model, tables);
  tables.push_back(outputs_table(outputs));
  add_output_tables(model, tables);
  add_load_tables(model, tables);
  for (TableShape& table : tables) table.plain = changes_in_every_digit(table.path);
  add_memory_tables(tables);
  add_contact_tables(tables);
  add_event_tables(tables);
  add_impact_tables(tables);
  add_struck_tables(tables);
  add_interval_tables(tables);
  return tables;
}

}  // namespace carom
