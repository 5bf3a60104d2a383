#include <algorithm>
#include <array>

#include "carom/counted.h"
#include "carom/record/certificate_fields.h"
#include "carom/record/output_formulas.h"
#include "carom/record/record_file.h"
#include "carom/record/record_layout.h"

namespace carom {
namespace {

/// Rows of tables of one file, with every access checked by the library, not here.
class Rows {
 public:
  Rows(const Hdf5File& file, std::int64_t first, std::int64_t count) : file_(file), first_(first), count_(count) {}
  std::vector<double> reals(Table table) const { return file_.read_reals(static_cast<int>(table), first_, count_); }
  std::vector<std::int64_t> integers(Table table) const {
    return file_.read_integers(static_cast<int>(table), first_, count_);
  }
  /// A choice, whose values must be those of an enum of which `last` is the last.
  template <class Kind>
  std::vector<Kind> choices(Table table, Kind last) const {
    std::vector<Kind> kinds;
    for (std::int64_t value : integers(table)) {
      if (value < 0 || value > static_cast<std::int64_t>(last)) {
        throw Error(file_.path() + ": the record is damaged: it holds a value that no choice of its table has");
      }
      kinds.push_back(static_cast<Kind>(value));
    }
    return kinds;
  }

 private:
  const Hdf5File& file_;
  std::int64_t first_, count_;
};

Vec3 vector_at(const std::vector<double>& data, std::size_t row) {
  return Vec3(data[3 * row], data[3 * row + 1], data[3 * row + 2]);
}

Mat3 matrix_at(const std::vector<double>& data, std::size_t row) {
  Mat3 matrix;
  for (int k = 0; k < 9; ++k) matrix(k / 3, k % 3) = data[9 * row + static_cast<std::size_t>(k)];
  return matrix;
}

std::vector<ContactId> read_ids(const Rows& rows, Table a, Table b, Table feature) {
  const auto as = rows.integers(a), bs = rows.integers(b), features = rows.integers(feature);
  std::vector<ContactId> ids(as.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ids[i] = {static_cast<int>(as[i]), static_cast<int>(bs[i]), static_cast<int>(features[i])};
  }
  return ids;
}

std::vector<ContactMemory> read_memory(const Rows& rows) {
  const auto ids = read_ids(rows, Table::memory_a, Table::memory_b, Table::memory_feature);
  const auto impulse = rows.reals(Table::memory_impulse);
  const auto sliding = rows.integers(Table::memory_sliding);
  const auto approach = rows.reals(Table::memory_approach);
  std::vector<ContactMemory> memory(ids.size());
  const auto spin = rows.reals(Table::memory_spin_impulse), tangent = rows.reals(Table::memory_tangent);
  const auto of_a = rows.reals(Table::memory_deflection_a), of_b = rows.reals(Table::memory_deflection_b);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    memory[i] = {ids[i],
                 vector_at(impulse, i),
                 sliding[i] != 0,
                 approach[i],
                 spin[i],
                 {vector_at(of_a, i), vector_at(of_b, i)},
                 vector_at(tangent, i)};
  }
  return memory;
}

std::vector<ContactReport> read_contacts(const Rows& rows) {
  const auto ids = read_ids(rows, Table::contact_a, Table::contact_b, Table::contact_feature);
  const auto body_a = rows.integers(Table::contact_body_a), body_b = rows.integers(Table::contact_body_b);
  const auto modes = rows.choices(Table::contact_mode, ContactMode::closed);
  const auto position = rows.reals(Table::contact_position), frame = rows.reals(Table::contact_frame),
             gap = rows.reals(Table::contact_gap), impulse = rows.reals(Table::contact_impulse),
             velocity = rows.reals(Table::contact_velocity);
  std::vector<ContactReport> contacts(ids.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    ContactReport& contact = contacts[i];
    contact.id = ids[i];
    contact.body_a = static_cast<int>(body_a[i]);
    contact.body_b = static_cast<int>(body_b[i]);
    contact.mode = modes[i];
    contact.position = vector_at(position, i);
    contact.R_WC = matrix_at(frame, i);
    contact.gap = gap[i];
    contact.impulse = vector_at(impulse, i);
    contact.velocity = vector_at(velocity, i);
  }
  return contacts;
}

void read_numbers(const Rows& rows, const Model& model, std::vector<Frame>& frames) {
  const auto time = rows.reals(Table::time), q = rows.reals(Table::q), v = rows.reals(Table::v),
             standing = rows.reals(Table::standing), energy = rows.reals(Table::energy);
  const auto step = rows.integers(Table::step), constraints = rows.integers(Table::constraints),
             lcp_size = rows.integers(Table::lcp_size), iterations = rows.integers(Table::iterations);
  const auto status = rows.choices(Table::status, SolveStatus::infeasible);
  const auto solver = rows.choices(Table::solver, SolverKind::multipliers);
  const int nq = model.position_count(), nv = model.velocity_count(), ns = standing_row_count(model);
  for (std::size_t f = 0; f < frames.size(); ++f) {
    Frame& frame = frames[f];
    frame.state.time = time[f];
    frame.state.step = step[f];
    frame.state.q = Eigen::Map<const VectorX>(q.data() + f * static_cast<std::size_t>(nq), nq);
    frame.state.v = Eigen::Map<const VectorX>(v.data() + f * static_cast<std::size_t>(nv), nv);
    const Eigen::Map<const VectorX> impulses(standing.data() + f * static_cast<std::size_t>(ns), ns);
    if (!impulses.isZero(0)) frame.state.standing = impulses;
    for (std::size_t k = 0; k < energy_lines.size(); ++k) {
      frame.energy.*energy_lines[k] = energy[f * energy_lines.size() + k];
    }
    frame.status = status[f];
    frame.constraints = constraints[f];
    frame.lcp_size = lcp_size[f];
    frame.iterations = iterations[f];
    frame.solver = solver[f];
  }
}

void read_residuals(const Rows& rows, std::vector<Frame>& frames) {
  const auto into = [&](Table table, auto&& field) {
    const auto values = rows.reals(table);
    for (std::size_t f = 0; f < frames.size(); ++f) field(frames[f]) = values[f];
  };
  for (int i = 0; i < judged_count; ++i) {
    into(judged_table(i), [i](Frame& f) -> double& { return judged_numbers[i].of(f, f.contact); });
  }
}

void read_impact_numbers(const Rows& rows, std::vector<ImpactReport>& impacts) {
  const auto into = [&](Table table, auto&& set) {
    const auto values = rows.reals(table);
    for (std::size_t i = 0; i < impacts.size(); ++i) set(impacts[i], values[i]);
  };
  into(Table::impact_energy_change, [](ImpactReport& impact, double value) {
    impact.outcome.energy_change = impact.certificate.energy_change = value;
  });
  into(Table::impact_contact_work, [](ImpactReport& impact, double value) { impact.contact_work = value; });
  into(Table::impact_constraint_work, [](ImpactReport& impact, double value) { impact.constraint_work = value; });
  into(Table::impact_drive_work, [](ImpactReport& impact, double value) { impact.drive_work = value; });
  into(Table::impact_momentum_residual, [](ImpactReport& impact, double value) { impact.momentum_residual = value; });
  into(Table::impact_approach, [](ImpactReport& impact, double value) { impact.certificate.approach = value; });
  into(Table::impact_bilateral, [](ImpactReport& impact, double value) { impact.certificate.bilateral = value; });
  into(Table::impact_pull, [](ImpactReport& impact, double value) { impact.certificate.pull = value; });
  into(Table::impact_cone_violation,
       [](ImpactReport& impact, double value) { impact.certificate.cone_violation = value; });
  into(Table::impact_dissipation_residual,
       [](ImpactReport& impact, double value) { impact.certificate.dissipation_residual = known_number(value); });
  into(Table::impact_path_residual,
       [](ImpactReport& impact, double value) { impact.certificate.path_residual = known_number(value); });
  into(Table::impact_energy_gain, [](ImpactReport& impact, double value) { impact.certificate.energy_gain = value; });
  into(Table::impact_driving_work, [](ImpactReport& impact, double value) { impact.certificate.driving_work = value; });
}

std::vector<ImpactReport> read_impact_rows(const Rows& rows) {
  const auto time = rows.reals(Table::impact_time);
  const auto step = rows.integers(Table::impact_step), rounds = rows.integers(Table::impact_rounds),
             intervals = rows.integers(Table::impact_intervals), jams = rows.integers(Table::impact_jams);
  const auto status = rows.choices(Table::impact_status, ImpactStatus::inconsistent);
  std::vector<ImpactReport> impacts(time.size());
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    impacts[i].time = time[i];
    impacts[i].step = step[i];
    impacts[i].outcome.status = status[i];
    impacts[i].outcome.rounds = static_cast<int>(rounds[i]);
    impacts[i].outcome.intervals = static_cast<int>(intervals[i]);
    impacts[i].outcome.jams = static_cast<int>(jams[i]);
  }
  read_impact_numbers(rows, impacts);
  return impacts;
}

std::vector<ImpactContact> read_struck(const Rows& rows) {
  const auto ids = read_ids(rows, Table::struck_a, Table::struck_b, Table::struck_feature);
  const auto body_a = rows.integers(Table::struck_body_a), body_b = rows.integers(Table::struck_body_b);
  const auto position = rows.reals(Table::struck_position), frame = rows.reals(Table::struck_frame),
             gap = rows.reals(Table::struck_gap), impulse = rows.reals(Table::struck_impulse),
             before = rows.reals(Table::struck_before), after = rows.reals(Table::struck_after);
  std::vector<ImpactContact> contacts(ids.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    ImpactContact& struck = contacts[i];
    struck.id = ids[i];
    struck.body_a = static_cast<int>(body_a[i]);
    struck.body_b = static_cast<int>(body_b[i]);
    struck.position = vector_at(position, i);
    struck.R_WC = matrix_at(frame, i);
    struck.gap = gap[i];
    struck.impulse = vector_at(impulse, i);
    struck.before = vector_at(before, i);
    struck.after = vector_at(after, i);
  }
  return contacts;
}

std::vector<ImpactInterval> read_intervals(const Rows& rows) {
  const auto group = rows.integers(Table::interval_group), round = rows.integers(Table::interval_round),
             jammed = rows.integers(Table::interval_jammed), ending = rows.integers(Table::interval_ending);
  const auto alpha = rows.reals(Table::interval_alpha);
  const auto status = rows.choices(Table::interval_status, LabelStatus::inconsistent);
  std::vector<ImpactInterval> intervals(alpha.size());
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    ImpactInterval& interval = intervals[i];
    interval.group = static_cast<int>(group[i]);
    interval.round = static_cast<int>(round[i]);
    interval.alpha = alpha[i];
    interval.jammed = jammed[i] != 0;
    interval.ending = ending[i] != 0;
    interval.status = status[i];
  }
  return intervals;
}

std::vector<IntervalContact> read_interval_contacts(const Rows& rows) {
  const auto struck = rows.integers(Table::interval_contact_struck);
  const auto roles = rows.choices(Table::interval_contact_role, PlusRole::holding);
  const auto motions = rows.choices(Table::interval_contact_motion, PlusMotion::sliding);
  const auto impulse = rows.reals(Table::interval_contact_impulse),
             velocity = rows.reals(Table::interval_contact_velocity);
  std::vector<IntervalContact> contacts(struck.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    contacts[i] = {static_cast<std::size_t>(struck[i]), roles[i], motions[i], vector_at(impulse, i),
                   vector_at(velocity, i)};
  }
  return contacts;
}

[[noreturn]] void fail_rows(const Hdf5File& file) {
  throw Error(file.path() + ": the record is damaged: rows of its impacts do not belong together");
}

/// Hands every owner its run of rows. owner_of: of each row, never falling.
template <class Owner>
void share_rows(const Hdf5File& file, const std::vector<std::int64_t>& owner_of, std::vector<Owner>& owners,
                std::size_t Owner::*first, std::size_t Owner::*count) {
  if (!std::is_sorted(owner_of.begin(), owner_of.end())) fail_rows(file);
  for (const std::int64_t owner : owner_of) {
    if (owner < 0 || owner >= static_cast<std::int64_t>(owners.size())) fail_rows(file);
    ++(owners[static_cast<std::size_t>(owner)].*count);
  }
  std::size_t row = 0;
  for (Owner& owner : owners) {
    owner.*first = row;
    row += owner.*count;
  }
}

/// Contacts of an interval are among those of its impact.
void check_interval_contacts(const Hdf5File& file, const Record& record) {
  for (const ImpactReport& impact : record.impacts) {
    for (std::size_t i = 0; i < impact.intervals; ++i) {
      const ImpactInterval& interval = record.intervals[impact.first_interval + i];
      for (std::size_t k = 0; k < interval.contacts; ++k) {
        const std::size_t contact = record.interval_contacts[interval.first_contact + k].contact;
        if (contact < impact.first_contact || contact >= impact.first_contact + impact.contacts) fail_rows(file);
      }
    }
  }
}

/// Checks a table of offsets: from 0, never falling, to the number of rows of its group.
void check_offsets(const Hdf5File& file, Table table, std::int64_t rows) {
  const auto offsets = file.read_integers(static_cast<int>(table), 0, file.rows(static_cast<int>(table)));
  if (offsets.front() != 0 || offsets.back() != rows || !std::is_sorted(offsets.begin(), offsets.end())) {
    throw Error(file.path() + ": the record is damaged: offsets of a group do not fit its " + counted(rows, "row"));
  }
}

}  // namespace

std::int64_t open_record_tables(Hdf5File& file, const std::vector<TableShape>& shapes) {
  std::array<std::int64_t, row_kinds> rows{};
  rows.fill(-1);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Table table = static_cast<Table>(i);
    std::int64_t& expected = rows[static_cast<std::size_t>(rows_per(table))];
    const bool offsets = table == Table::memory_offsets || table == Table::contact_offsets;
    const std::int64_t found = file.rows(file.open_table(shapes[i])) - (offsets ? 1 : 0);
    if (expected < 0) expected = found;
    if (found != expected) {
      throw Error(file.path() + ": the record is damaged: dataset " + shapes[i].path + " has " + counted(found, "row") +
                  " where others have " + std::to_string(expected));
    }
  }
  const std::int64_t frames = rows[static_cast<std::size_t>(RowsPer::frame)];
  if (frames < 1) throw Error(file.path() + ": the record is damaged: it holds not even the initial state");
  const std::int64_t outputs = rows[static_cast<std::size_t>(RowsPer::output)];
  if (outputs != 0 && outputs != frames) {
    throw Error(file.path() + ": the record is damaged: it has outputs of " + counted(outputs, "frame") + " of " +
                std::to_string(frames));
  }
  check_offsets(file, Table::memory_offsets, rows[static_cast<std::size_t>(RowsPer::memory)]);
  check_offsets(file, Table::contact_offsets, rows[static_cast<std::size_t>(RowsPer::contact)]);
  return frames;
}

std::vector<Frame> read_frames(const Hdf5File& file, const Model& model, std::int64_t first, std::int64_t count) {
  std::vector<Frame> frames(static_cast<std::size_t>(count));
  read_numbers(Rows(file, first, count), model, frames);
  read_residuals(Rows(file, first, count), frames);

  const auto split = [&](Table offset_table, auto read, auto field) {
    const auto offsets = file.read_integers(static_cast<int>(offset_table), first, count + 1);
    const auto all = read(Rows(file, offsets.front(), offsets.back() - offsets.front()));
    for (std::size_t f = 0; f < frames.size(); ++f) {
      field(frames[f]).assign(all.begin() + (offsets[f] - offsets[0]), all.begin() + (offsets[f + 1] - offsets[0]));
    }
  };
  split(Table::memory_offsets, read_memory, [](Frame& f) -> std::vector<ContactMemory>& { return f.state.contacts; });
  split(Table::contact_offsets, read_contacts, [](Frame& f) -> std::vector<ContactReport>& { return f.contacts; });
  return frames;
}

std::vector<ColliderLoad> read_last_loads(const Hdf5File& file) {
  const std::int64_t rows = file.rows(static_cast<int>(Table::collider_force));
  if (rows < 1) return {};
  const Rows last(file, rows - 1, 1);
  const auto normal = last.reals(Table::collider_normal_impulse), force = last.reals(Table::collider_force),
             centre = last.reals(Table::collider_centre_of_pressure), moment = last.reals(Table::collider_moment);
  std::vector<ColliderLoad> loads;
  for (std::size_t i = 0; i < normal.size(); ++i) {
    if (normal[i] == 0) continue;
    loads.push_back({static_cast<int>(i), vector_at(force, i), vector_at(centre, i), vector_at(moment, i)});
  }
  return loads;
}

LastLoads read_last_joint_loads(const Hdf5File& file) {
  const std::int64_t rows = file.rows(static_cast<int>(Table::joint_torque));
  if (rows < 1) return {};
  const Rows last(file, rows - 1, 1);
  return {last.reals(Table::joint_torque),
          last.reals(Table::joint_torque_by_source),
          last.reals(Table::joint_reaction_force),
          last.reals(Table::joint_reaction_moment),
          last.reals(Table::constraint_reaction_force),
          last.reals(Table::constraint_reaction_moment),
          last.reals(Table::sensors)};
}

std::vector<Event> read_events(const Hdf5File& file) {
  const Rows rows(file, 0, file.rows(static_cast<int>(Table::event_time)));
  const auto time = rows.reals(Table::event_time);
  const auto step = rows.integers(Table::event_step), body_a = rows.integers(Table::event_body_a),
             body_b = rows.integers(Table::event_body_b);
  const auto kinds = rows.choices(Table::event_kind, EventKind::impact);
  const auto ids = read_ids(rows, Table::event_a, Table::event_b, Table::event_feature);
  std::vector<Event> events(time.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i] = {time[i], step[i], kinds[i], ids[i], static_cast<int>(body_a[i]), static_cast<int>(body_b[i])};
  }
  return events;
}

void read_impacts(const Hdf5File& file, Record& record) {
  const auto rows = [&](Table table) { return Rows(file, 0, file.rows(static_cast<int>(table))); };
  const Rows struck = rows(Table::struck_impact), intervals = rows(Table::interval_impact),
             interval_contacts = rows(Table::interval_contact_interval);
  record.impacts = read_impact_rows(rows(Table::impact_time));
  record.struck = read_struck(struck);
  record.intervals = read_intervals(intervals);
  record.interval_contacts = read_interval_contacts(interval_contacts);
  share_rows(file, struck.integers(Table::struck_impact), record.impacts, &ImpactReport::first_contact,
             &ImpactReport::contacts);
  share_rows(file, intervals.integers(Table::interval_impact), record.impacts, &ImpactReport::first_interval,
             &ImpactReport::intervals);
  share_rows(file, interval_contacts.integers(Table::interval_contact_interval), record.intervals,
             &ImpactInterval::first_contact, &ImpactInterval::contacts);
  check_interval_contacts(file, record);
}

namespace {

/// `scene` gives the scene of an open record.
template <class SceneOf>
Record read_with(const std::string& path, SceneOf&& scene) {
  Hdf5File file = Hdf5File::open_for_reading(path);
  check_format(file);
  Record record;
  record.path = path;
  record.version = file.text("/", "version");
  record.end = file.text("/", "end");
  record.wall_seconds = file.real("/", "wall_seconds");
  record.scene = scene(file);
  const OutputFormulas formulas(record.scene);
  const std::int64_t frames = open_record_tables(file, record_tables(*record.scene.model, formulas.names()));
  record.frames = read_frames(file, *record.scene.model, 0, frames);
  record.scene.initial = record.frames.front().state;
  record.last_loads = read_last_loads(file);
  record.last_joint_loads = read_last_joint_loads(file);
  record.outputs = summed_up(formulas, file.read_reals(static_cast<int>(Table::outputs), 0, frames));
  record.events = read_events(file);
  read_impacts(file, record);
  record.certificate = read_certificate(file);
  record.accuracy = read_accuracy(file);
  return record;
}

}  // namespace

Record read_record(const std::string& path, const Catalogue& catalogue) {
  return read_with(path, [&](const Hdf5File& file) { return read_scene(file, catalogue); });
}

Record read_record(const std::string& path, Scene scene) {
  scene.warnings.clear();  // of its file, which records have none of
  return read_with(path, [&](const Hdf5File&) { return std::move(scene); });
}

}  // namespace carom
