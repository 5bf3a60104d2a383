#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>

#include "carom/output_error.h"
#include "carom/record/certificate_fields.h"
#include "carom/record/frame_numbers.h"
#include "carom/record/hdf5_handles.h"
#include "carom/record/interval_outputs.h"
#include "carom/record/output_formulas.h"
#include "carom/record/record_file.h"
#include "carom/record/record_layout.h"
#include "carom/record/row_buffer.h"
#include "carom/record/twin_files.h"

namespace carom {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double flush_seconds = 1;
constexpr std::size_t flush_bytes = std::size_t{8} << 20;

}  // namespace

struct RecordWriter::Run {
  std::string path;
  RecordOptions options;
  std::shared_ptr<const Model> model;
  IntervalOutputs outputs;
  OutputFormulas formulas;
  TwinFiles files;                 ///< after all that may find no memory, as it leaves a file behind
  std::vector<RowBuffer> buffers;  ///< one per table
  /// Rows of each table that stay: all but those of a frame that gives way to the next.
  std::array<std::int64_t, table_count> solid{};
  std::array<std::array<std::int64_t, table_count>, 2> written{};  ///< of the solid rows, in either file
  Frame frame;  ///< the last one; its `worst` fields gather on until the next solid frame
  bool frame_is_solid = true;
  RunCertificate certificate;
  double earlier_seconds = 0;  ///< wall-clock time of the runs that this one goes on from
  double wall_seconds = -1;    ///< as finish() gave it; < 0: still running
  std::string end = "running";
  Accuracy accuracy;
  Clock::time_point start = Clock::now(), last_flush = start;
  bool finished = false;
  bool failed = false;                          ///< nothing more is written
  int exceptions = std::uncaught_exceptions();  ///< on their way when this was made

  Run(std::string place, const Scene& scene, const std::function<TwinFiles()>& twins)
      : path(std::move(place)),
        options(scene.record),
        model(scene.model),
        outputs(*scene.model, scene.initial),
        formulas(scene),
        files(twins()) {}
  /// One that came to nothing leaves no part of a file.
  ~Run() {
    if (!finished && !failed) discard();
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  RowBuffer& buffer(Table table) { return buffers[static_cast<std::size_t>(table)]; }

  void make_buffers(const Model& model, const std::array<std::int64_t, table_count>& first) {
    const std::vector<TableShape> shapes = record_tables(model, formulas.names());
    for (int i = 0; i < table_count; ++i) buffers.emplace_back(shapes[i], first[i]);
    solid = written[0] = written[1] = first;
  }

  bool on_grid(std::int64_t step) const { return step % std::max(1, options.every) == 0; }

  void push_id(Table a, Table b, Table feature, const ContactId& id) {
    buffer(a).push(std::int64_t{id.a});
    buffer(b).push(std::int64_t{id.b});
    buffer(feature).push(std::int64_t{id.feature});
  }

  void push_rotation(Table table, const Mat3& R) {
    Eigen::Matrix<double, 9, 1> rows;
    for (int k = 0; k < 9; ++k) rows[k] = R(k / 3, k % 3);
    buffer(table).push(rows);
  }

  void push_contact(const ContactReport& contact) {
    push_id(Table::contact_a, Table::contact_b, Table::contact_feature, contact.id);
    buffer(Table::contact_body_a).push(std::int64_t{contact.body_a});
    buffer(Table::contact_body_b).push(std::int64_t{contact.body_b});
    buffer(Table::contact_mode).push(static_cast<std::int64_t>(contact.mode));
    buffer(Table::contact_position).push(contact.position);
    push_rotation(Table::contact_frame, contact.R_WC);
    buffer(Table::contact_gap).push(contact.gap);
    buffer(Table::contact_impulse).push(contact.impulse);
    buffer(Table::contact_velocity).push(contact.velocity);
  }

  /// Appends `frame` to the buffers, in place of the last one if that was not to stay.
  void push_frame() {
    if (!frame_is_solid) {
      for (int i = 0; i < table_count; ++i) {
        if (belongs_to_frame(rows_per(static_cast<Table>(i)))) buffers[i].cut(solid[i]);
      }
    }
    push_numbers(frame, buffers);
    if (options.outputs) outputs.push(buffers);
    buffer(Table::outputs).push(formulas.evaluate([this](int table, int entry) {
      return buffers[static_cast<std::size_t>(table)].last(entry);
    }));
    for (const ContactMemory& memory : frame.state.contacts) {
      push_id(Table::memory_a, Table::memory_b, Table::memory_feature, memory.id);
      buffer(Table::memory_impulse).push(memory.impulse);
      buffer(Table::memory_sliding).push(std::int64_t{memory.sliding});
      buffer(Table::memory_approach).push(memory.approach);
      buffer(Table::memory_spin_impulse).push(memory.spin_impulse);
      buffer(Table::memory_deflection_a).push(memory.deflection[0]);
      buffer(Table::memory_deflection_b).push(memory.deflection[1]);
      buffer(Table::memory_tangent).push(memory.tangent);
    }
    buffer(Table::memory_offsets).push(buffer(Table::memory_a).end());
    for (const ContactReport& contact : frame.contacts) push_contact(contact);
    buffer(Table::contact_offsets).push(buffer(Table::contact_a).end());
    frame_is_solid = on_grid(frame.state.step);
    if (frame_is_solid) formulas.keep();
    for (int i = 0; i < table_count; ++i) {
      if (frame_is_solid || !belongs_to_frame(rows_per(static_cast<Table>(i)))) solid[i] = buffers[i].end();
    }
  }

  void push_event(const Event& event) {
    buffer(Table::event_time).push(event.time);
    buffer(Table::event_step).push(event.step);
    buffer(Table::event_kind).push(static_cast<std::int64_t>(event.kind));
    push_id(Table::event_a, Table::event_b, Table::event_feature, event.id);
    buffer(Table::event_body_a).push(std::int64_t{event.body_a});
    buffer(Table::event_body_b).push(std::int64_t{event.body_b});
  }

  void push_impact(const ImpactReport& impact) {
    buffer(Table::impact_time).push(impact.time);
    buffer(Table::impact_step).push(impact.step);
    buffer(Table::impact_status).push(static_cast<std::int64_t>(impact.outcome.status));
    buffer(Table::impact_rounds).push(std::int64_t{impact.outcome.rounds});
    buffer(Table::impact_intervals).push(std::int64_t{impact.outcome.intervals});
    buffer(Table::impact_jams).push(std::int64_t{impact.outcome.jams});
    buffer(Table::impact_energy_change).push(impact.outcome.energy_change);
    buffer(Table::impact_contact_work).push(impact.contact_work);
    buffer(Table::impact_constraint_work).push(impact.constraint_work);
    buffer(Table::impact_drive_work).push(impact.drive_work);
    buffer(Table::impact_momentum_residual).push(impact.momentum_residual);
    const ImpactCertificate& certified = impact.certificate;
    buffer(Table::impact_approach).push(certified.approach);
    buffer(Table::impact_bilateral).push(certified.bilateral);
    buffer(Table::impact_pull).push(certified.pull);
    buffer(Table::impact_cone_violation).push(certified.cone_violation);
    buffer(Table::impact_dissipation_residual).push(number_or_nan(certified.dissipation_residual));
    buffer(Table::impact_path_residual).push(number_or_nan(certified.path_residual));
    buffer(Table::impact_energy_gain).push(certified.energy_gain);
    buffer(Table::impact_driving_work).push(certified.driving_work);
  }

  void push_struck(const ImpactContact& struck, std::int64_t impact) {
    buffer(Table::struck_impact).push(impact);
    push_id(Table::struck_a, Table::struck_b, Table::struck_feature, struck.id);
    buffer(Table::struck_body_a).push(std::int64_t{struck.body_a});
    buffer(Table::struck_body_b).push(std::int64_t{struck.body_b});
    buffer(Table::struck_position).push(struck.position);
    push_rotation(Table::struck_frame, struck.R_WC);
    buffer(Table::struck_gap).push(struck.gap);
    buffer(Table::struck_impulse).push(struck.impulse);
    buffer(Table::struck_before).push(struck.before);
    buffer(Table::struck_after).push(struck.after);
  }

  void push_interval(const ImpactInterval& interval, std::int64_t impact) {
    buffer(Table::interval_impact).push(impact);
    buffer(Table::interval_group).push(std::int64_t{interval.group});
    buffer(Table::interval_round).push(std::int64_t{interval.round});
    buffer(Table::interval_alpha).push(interval.alpha);
    buffer(Table::interval_jammed).push(std::int64_t{interval.jammed});
    buffer(Table::interval_ending).push(std::int64_t{interval.ending});
    buffer(Table::interval_status).push(static_cast<std::int64_t>(interval.status));
  }

  /// first_struck: row of the step's first struck contact.
  void push_interval_contact(const IntervalContact& contact, std::int64_t interval, std::int64_t first_struck) {
    buffer(Table::interval_contact_interval).push(interval);
    buffer(Table::interval_contact_struck).push(first_struck + static_cast<std::int64_t>(contact.contact));
    buffer(Table::interval_contact_role).push(static_cast<std::int64_t>(contact.role));
    buffer(Table::interval_contact_motion).push(static_cast<std::int64_t>(contact.motion));
    buffer(Table::interval_contact_impulse).push(contact.impulse);
    buffer(Table::interval_contact_velocity).push(contact.velocity);
  }

  /// A step's impacts with their contacts and, if asked for, their intervals. Rows refer to one another by their
  /// numbers.
  void push_impacts(const StepReport& report) {
    const std::int64_t first_struck = buffer(Table::struck_impact).end();
    for (const ImpactReport& impact : report.impacts) {
      const std::int64_t row = buffer(Table::impact_time).end();
      push_impact(impact);
      for (std::size_t i = 0; i < impact.contacts; ++i) push_struck(report.struck[impact.first_contact + i], row);
      for (std::size_t i = 0; options.traces && i < impact.intervals; ++i) {
        const ImpactInterval& interval = report.intervals[impact.first_interval + i];
        const std::int64_t interval_row = buffer(Table::interval_impact).end();
        push_interval(interval, row);
        for (std::size_t k = 0; k < interval.contacts; ++k) {
          push_interval_contact(report.interval_contacts[interval.first_contact + k], interval_row, first_struck);
        }
      }
    }
  }

  /// Does work(). If it fails, the last record that was shown stays, and the writer is done with.
  template <class Work>
  void guard(Work&& work) {
    if (failed) throw Error(path + ": the record can't be written any more");
    if (finished) throw Error(path + ": the record is finished; nothing more can be written to it");
    try {
      work();
    } catch (const OutputError& error) {
      give_up(error.reason());
    } catch (const Error& error) {
      give_up(error.what());
    } catch (...) {
      discard();
      throw;
    }
  }

  [[noreturn]] void give_up(const std::string& reason) {
    const bool begun = files.is_published(), replaces = files.replaces();
    discard();
    std::error_code ignored;
    const bool stands = std::filesystem::exists(path, ignored);
    std::string what = ": no record can be written here";
    if (begun && !replaces) {
      what = ": the record can't be written on, and ends with what was written before";
    } else if (stands) {
      what = ": the new record can't be written, and the one before it stays";
    }
    throw OutputError(path + what, reason);
  }

  void discard() noexcept {
    failed = true;
    files.discard();
  }

  double seconds_since(Clock::time_point then) const {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }

  /// Brings the hidden file up to date.
  void write_hidden() {
    hdf5::ask_for_memory();
    Hdf5File& file = files.hidden();
    auto& done = written[static_cast<std::size_t>(files.turn())];
    for (int i = 0; i < table_count; ++i) {
      if (buffers[i].end() != done[i] || file.rows(i) != done[i]) buffers[i].write(file, i, done[i]);
      done[i] = solid[i];
    }
    write_certificate(file, certificate);
    write_accuracy(file, accuracy);
    file.set("/", "end", end);
    file.set("/", "wall_seconds", earlier_seconds + (wall_seconds >= 0 ? wall_seconds : seconds_since(start)));
    for (int i = 0; i < table_count; ++i) buffers[i].drop(std::min(written[0][i], written[1][i]));
  }

  void flush() {
    write_hidden();
    if (files.publish() == TwinFiles::Other::copied) {
      written[static_cast<std::size_t>(files.turn())] = written[static_cast<std::size_t>(1 - files.turn())];
    }
    last_flush = Clock::now();
  }

  void finish() {
    write_hidden();
    files.close();
    finished = true;
  }

  void append(const State& state, const StepReport& report) {
    if (frame_is_solid) {
      clear_worst(frame);
      outputs.begin();
    }
    fold_worst(frame, report);
    if (options.outputs) outputs.add(state, report);
    certificate.add(report);
    frame.state = state;
    frame.energy = certificate.energy;
    if (options.contacts) frame.contacts = report.contacts;
    for (const Event& event : report.events) push_event(event);
    push_impacts(report);
    push_frame();
    std::size_t bytes = 0;
    for (const RowBuffer& rows : buffers) bytes += rows.bytes();
    if (bytes > flush_bytes || seconds_since(last_flush) >= flush_seconds) flush();
  }
};

RecordWriter::RecordWriter(std::unique_ptr<Run> run) : run_(std::move(run)) {}
RecordWriter::RecordWriter(RecordWriter&&) noexcept = default;
RecordWriter& RecordWriter::operator=(RecordWriter&&) noexcept = default;

RecordWriter::~RecordWriter() {
  if (!run_ || run_->finished || run_->failed) return;
  // A record that an exception broke off is worth less than one that was whole.
  if (run_->files.replaces() && std::uncaught_exceptions() > run_->exceptions) {
    run_->discard();
    return;
  }
  try {
    run_->guard([&] { run_->finish(); });
  } catch (...) {
    // The last flush stands; a destructor has nobody to tell.
  }
}

std::string RecordWriter::hidden_name(const std::string& path) { return TwinFiles::hidden_name(path); }
std::string RecordWriter::replaced_name(const std::string& path) { return TwinFiles::replaced_name(path); }

RecordWriter RecordWriter::create(const std::string& path, const Scene& scene) { return create(path, scene, true); }

RecordWriter RecordWriter::create_passing(const std::string& path, const Scene& scene) {
  return create(path, scene, false);
}

RecordWriter RecordWriter::create(const std::string& path, const Scene& scene, bool with_model) {
  const Model& model = *scene.model;
  const std::vector<TableShape> tables = record_tables(model, OutputFormulas(scene).names());
  const auto fill = [&](Hdf5File& file) {
    write_scene(file, scene, with_model);
    for (const char* group : table_groups) file.make_group(group);
    for (const TableShape& shape : tables) file.make_table(shape);
  };
  const auto open = [tables](Hdf5File& file) { open_record_tables(file, tables); };
  auto run = std::make_unique<Run>(path, scene, [&] { return TwinFiles::create(path, fill, open); });
  run->make_buffers(model, {});
  run->buffer(Table::memory_offsets).push(std::int64_t{0});
  run->buffer(Table::contact_offsets).push(std::int64_t{0});
  run->frame = first_frame(model, scene.initial);
  run->push_frame();
  run->certificate.energy.kinetic = run->frame.energy.kinetic;
  run->certificate.energy.potential = run->frame.energy.potential;
  run->guard([&] { run->flush(); });
  return RecordWriter(std::move(run));
}

RecordWriter RecordWriter::resume(const std::string& path, const Scene& scene) {
  const Model& model = *scene.model;
  const std::vector<TableShape> tables = record_tables(model, OutputFormulas(scene).names());
  const auto open = [scene, tables](Hdf5File& file) {
    open_record_tables(file, tables);
    file.set("/scene", "duration", scene.duration);
  };
  {
    Hdf5File recorded = Hdf5File::open_for_reading(path);
    check_format(recorded);
    refuse_other_scene(path, read_scene(recorded, *scene.catalogue), scene);
  }
  auto run = std::make_unique<Run>(path, scene, [&] { return TwinFiles::resume(path, open); });
  const Hdf5File& file = run->files.hidden();
  run->certificate = read_certificate(file);
  run->earlier_seconds = file.real("/", "wall_seconds");
  const std::int64_t frames = file.rows(static_cast<int>(Table::time));
  run->frame = read_frames(file, model, frames - 1, 1).front();

  // A frame that gives way to the next is taken back from the files into the buffers.
  std::array<std::int64_t, table_count> rows{};
  for (int i = 0; i < table_count; ++i) rows[i] = file.rows(i);
  run->outputs.observe(run->frame.state);
  if (!run->on_grid(run->frame.state.step)) {
    // The only frame of a record that begins off the grid begins its own interval.
    const State before = read_frames(file, model, std::max<std::int64_t>(0, frames - 2), 1).front().state;
    if (run->options.outputs) run->outputs.resume(before, run->frame.state, file, frames - 1);
    for (int i = 0; i < table_count; ++i) {
      const RowsPer kind = rows_per(static_cast<Table>(i));
      if (kind == RowsPer::frame || (kind == RowsPer::output && rows[i] > 0)) rows[i] -= 1;
      if (kind == RowsPer::memory) rows[i] -= static_cast<std::int64_t>(run->frame.state.contacts.size());
      if (kind == RowsPer::contact) rows[i] -= static_cast<std::int64_t>(run->frame.contacts.size());
    }
    run->formulas.resume(file, rows[static_cast<std::size_t>(Table::time)]);
    run->make_buffers(model, rows);
    run->push_frame();
  } else {
    run->formulas.resume(file, frames);
    run->make_buffers(model, rows);
  }
  return RecordWriter(std::move(run));
}

void RecordWriter::append(const State& state, const StepReport& report) {
  run_->guard([&] { run_->append(state, report); });
}

void RecordWriter::flush() {
  run_->guard([&] { run_->flush(); });
}

void RecordWriter::finish(const std::string& end, double wall_seconds) {
  run_->end = end;
  run_->wall_seconds = wall_seconds;
  run_->guard([&] { run_->finish(); });
}

void RecordWriter::finish_steps(const std::string& end, double wall_seconds) {
  run_->end = end;
  run_->wall_seconds = wall_seconds;
  run_->guard([&] {
    run_->flush();
    run_->files.settle();
  });
}

void RecordWriter::finish_accuracy(const Accuracy& accuracy) {
  run_->accuracy = accuracy;
  run_->guard([&] { run_->finish(); });
}

const RunCertificate& RecordWriter::certificate() const { return run_->certificate; }

}  // namespace carom
