#pragma once

#include <cstdint>
#include <string>

#include "carom/record/hdf5_file.h"
#include "carom/record/record.h"

// The parts of a record's file other than its tables, and frames read back: what the writer and the reader share.
namespace carom {

void write_scene(Hdf5File& file, const Scene& scene, bool with_model);
/// The scene as recorded, but for its start, which is the first frame.
Scene read_scene(const Hdf5File& file, const Catalogue& catalogue);
/// Throws Error with a sentence that says what differs between a record's scene and this one.
void refuse_other_scene(const std::string& path, const Scene& recorded, const Scene& scene);

void write_certificate(Hdf5File& file, const RunCertificate& certificate);
RunCertificate read_certificate(const Hdf5File& file);

/// Throws Error unless the file says that it is a record of a format that this program knows.
void check_format(const Hdf5File& file);

/// Opens all tables (tables of `file` are then numbered as in enum Table) and checks that their lengths fit together.
/// Returns the number of frames.
std::int64_t open_record_tables(Hdf5File& file, const std::vector<TableShape>& shapes);
/// Frames [first, first + count). Throws Error if the file is damaged.
std::vector<Frame> read_frames(const Hdf5File& file, const Model& model, std::int64_t first, std::int64_t count);
/// Contact loads of the last frame, of colliders that bore an impulse.
std::vector<ColliderLoad> read_last_loads(const Hdf5File& file);
std::vector<Event> read_events(const Hdf5File& file);
/// Impacts with their contacts and intervals. Throws Error if rows do not belong together.
void read_impacts(const Hdf5File& file, Record& record);

}  // namespace carom
