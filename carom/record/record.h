#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "carom/record/accuracy.h"
#include "carom/scene/scene.h"
#include "carom/stepper/step_report.h"

namespace carom {

/// Writes a run into an HDF5 file (docs/manual/record-format.md), in chunks.
///
/// Whatever kills the program, and at whatever instant, the file opens in any HDF5 reader and holds all that was there
/// at the last flush. The first append() after a second of wall-clock time flushes by itself. Two files take turns for
/// this. The next flush goes into the hidden file PATH.part, which then changes names with PATH in one move of the file
/// system. The file that bears the name PATH is never written to. A flush costs O(what was appended since the last but
/// one). Disk space is twice the record's until finish(). This protects against the death of the program, not of the
/// machine: nothing waits for the disk.
///
/// A record that a new one replaces waits at PATH.replaced until the new one is finished. If the disk takes no more of
/// the new one, or an exception ends its writer unfinished, the old one gets its name back.
///
/// A frame is written every scene.record.every steps. The last step before a flush gets one too, whatever its number,
/// so that a run can go on from there. Such an extra frame gives way to the next one. So a run that was interrupted and
/// resumed has the same record, bit for bit, as one that was not.
class RecordWriter {
 public:
  /// A new file (an existing one is replaced only once the new one is complete). Writes the model, the method, the
  /// scene's text if there is one, Carom's version, names of bodies, and the initial state as the first frame. Throws
  /// Error if the file can't be made or another program is writing it.
  static RecordWriter create(const std::string& path, const Scene& scene);
  /// The same for this program alone, which reads it by read_record(path, scene): without the model, whose meshes may
  /// take long to write.
  static RecordWriter create_passing(const std::string& path, const Scene& scene);
  /// Goes on with a record after its last frame; start the simulation from read_record(path).frames.back().state.
  /// scene.duration may differ from the record's. Throws Error if the file is not a record. Throws Error, saying what
  /// differs, if it was made from another scene text, model or method. Throws Error if a controller of a program acted
  /// and scene.feedback is empty.
  static RecordWriter resume(const std::string& path, const Scene& scene);

  RecordWriter(RecordWriter&&) noexcept;
  RecordWriter& operator=(RecordWriter&&) noexcept;
  /// Flushes if it can, and closes. One that an exception ends leaves what was written so far, or the record before it.
  ~RecordWriter();

  /// Files that a writer leaves beside the record when it is killed: the hidden file, and a record that was to be
  /// replaced.
  static std::string hidden_name(const std::string& path);
  static std::string replaced_name(const std::string& path);

  /// Called after every step.
  void append(const State& state, const StepReport& report);
  void flush();
  /// Flushes with the reason why the run ended ("done", "interrupted", …) and closes. The time `wall_seconds` counts
  /// from create or resume. The record keeps its sum over resumed parts.
  void finish(const std::string& end, double wall_seconds);
  /// Writes the reason why the run ended into the file, but does not close it yet. Now the accuracy of the motion may
  /// be examined. Nothing is appended after it.
  void finish_steps(const std::string& end, double wall_seconds);
  /// Adds that, and closes.
  void finish_accuracy(const Accuracy& accuracy);

  /// Certificate of all steps in the record, those before a resume() included.
  const RunCertificate& certificate() const;

 private:
  struct Run;
  explicit RecordWriter(std::unique_ptr<Run> run);
  static RecordWriter create(const std::string& path, const Scene& scene, bool with_model);
  std::unique_ptr<Run> run_;
};

/// One recorded instant.
struct Frame : Judged {
  State state;          ///< with the contact memory, so that a run can go on from it
  EnergyLedger energy;  ///< kinetic and potential now, the other lines summed since the scene's start

  // Since the frame before (so with RecordOptions::every = 1: of the step that led here), like the judged numbers.
  SolveStatus status = SolveStatus::solved;  ///< the worst
  SolveCertificate contact;                  ///< the judged numbers of it; the rest is not recorded
  std::int64_t constraints = 0;              ///< contacts and limits in the complementarity problem
  std::int64_t lcp_size = 0;
  std::int64_t iterations = 0;
  SolverKind solver = SolverKind::none;  ///< of the step that took most of them

  std::vector<ContactReport> contacts;  ///< of the step that led here; empty where the scene asks for none
};

/// Load of contacts on a collider over the interval that ends with the last frame; world axes.
struct ColliderLoad {
  int collider = -1;
  Vec3 force;               ///< mean, on the collider, N
  Vec3 centre_of_pressure;  ///< m
  Vec3 moment;              ///< mean, about the centre of pressure, N m
};

/// Range of a scene's output over the recorded frames; NaN where it was no number in any.
struct OutputRange {
  std::string name, formula;
  double last = 0, least = 0, greatest = 0;
};

/// Loads of joints and constraints, and readings of sensors: means over the interval that ends with the last frame.
/// They are rows of the tables, whose entries part_names.h names. Empty for the least columns.
struct LastLoads {
  std::vector<double> torque, torque_by_source;                                        ///< N m or N
  std::vector<double> joint_force, joint_moment, constraint_force, constraint_moment;  ///< N, N m; three of each
  std::vector<double> sensors;                                                         ///< by entry of sensor_columns
};

/// A record read back whole.
struct Record {
  std::string path, version;
  std::string end;                       ///< why the run ended; "running" if it was killed or still runs
  Scene scene;                           ///< as recorded; lacks a controller that was a program's own
  std::vector<Frame> frames;             ///< the first is the initial state
  std::vector<ColliderLoad> last_loads;  ///< of colliders that bore an impulse; empty for the least columns
  std::vector<OutputRange> outputs;      ///< of the scene, in its order
  LastLoads last_joint_loads;
  std::vector<Event> events;
  // As in StepReport, of all steps: places are those in these lists. The record keeps the residuals and the driving
  // work of an impact's certificate.
  std::vector<ImpactReport> impacts;
  std::vector<ImpactContact> struck;
  std::vector<ImpactInterval> intervals;  ///< empty unless the scene asks for traces
  std::vector<IntervalContact> interval_contacts;
  RunCertificate certificate;  ///< of the steps so far
  Accuracy accuracy;           ///< of the motion; a run that goes on is not checked until it ends again
  double wall_seconds = 0;
};

/// Throws Error if the file is not a record, or is damaged, saying where. Throws Error if it names a stepper or law
/// that the catalogue does not have. The catalogue must outlive the record.
Record read_record(const std::string& path, const Catalogue& catalogue = default_catalogue());
/// The same of a record that was made from this scene, whose model is not read again.
Record read_record(const std::string& path, Scene scene);

}  // namespace carom
