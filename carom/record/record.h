#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/stepper/step_report.h"

namespace carom {

/// Writes a run into an HDF5 file, in chunks. Whatever kills the program, the file opens and holds all that was there at
/// the last flush; a flush comes by itself at least once a second of wall-clock time.
class RecordWriter {
 public:
  /// A new file (an existing one is replaced only once the new one is open). Writes the scene's text, the method, Carom's
  /// version, names of bodies, and the initial state as the first frame. Throws Error if the file can't be made.
  static RecordWriter create(const std::string& path, const Scene& scene);
  /// Goes on with a record: frames after `from` (steps that a flush kept but the last complete state does not cover) are
  /// cut off. Throws Error if it is not a record, or was made from another scene or method.
  static RecordWriter resume(const std::string& path, const Scene& scene);

  RecordWriter(RecordWriter&&) noexcept;
  RecordWriter& operator=(RecordWriter&&) noexcept;
  ~RecordWriter();  ///< flushes and closes

  /// Called after every step; writes those that scene.record asks for, and every event.
  void append(const State& state, const StepReport& report);
  void flush();
  /// Writes the certificate and why the run ended ("done", "interrupted", …).
  void finish(const RunCertificate& certificate, const std::string& end, double wall_seconds);

 private:
  struct File;
  explicit RecordWriter(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

/// A record read back whole.
struct Record {
  std::string scene_text, scene_file, version, end;
  Scene scene;  ///< parsed from scene_text, method as recorded
  struct Frame {
    State state;             ///< with the contact memory, so that a run can go on from it
    EnergyLedger energy;
    double penetration = 0, momentum_residual = 0;
    SolveStatus status = SolveStatus::solved;
    std::vector<ContactReport> contacts;
  };
  std::vector<Frame> frames;  ///< the first is the initial state
  std::vector<Event> events;
  RunCertificate certificate;  ///< of the steps so far
  double wall_seconds = 0;
};

/// Throws Error if the file is not a record or is damaged, saying what of it could be read.
Record read_record(const std::string& path);

}  // namespace carom
