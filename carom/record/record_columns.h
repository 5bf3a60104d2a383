#pragma once

#include <string>
#include <vector>

#include "carom/model/model.h"
#include "carom/record/hdf5_file.h"
#include "carom/stepper/catalogue.h"

namespace carom {

/// One number of every frame of a record. Examples: "hip" or "ball.x" of /q; "hip.rate" of /v; "energy.kinetic" of the
/// ledger. In the outputs: "ball.position.x", "robot.mass_centre.z", "world/floor.force.z", "hip.torque",
/// "hip.torque.servo", "hip.reaction_force.x".
struct RecordColumn {
  std::string name;
  std::string unit;
  std::string meaning;
  std::vector<double> values;  ///< by frame
};

/// Place of a column's numbers: entry `entry` of every row of a table.
struct ColumnSource {
  RecordColumn column;  ///< without values
  int table = 0;
  int entry = 0;
};

/// Units of the entries of a row of a table, or of the things that have three numbers each.
std::vector<std::string> entry_units(const TableShape& shape, const Model& model, std::size_t entries);

/// Every column of the tables of a record. `world`: those of RowsPer::output are filled.
std::vector<ColumnSource> column_sources(const std::vector<TableShape>& tables, const Model& model, bool world);

/// The record's columns whose names match one of `patterns`, in which * stands for anything and ? for a character; all
/// for no pattern. The first is always `time`. Only what is asked for is read. Throws Error if the file is no record or
/// is damaged, or if a pattern matches nothing: the sentence names what was likely meant. O(frames) per column.
std::vector<RecordColumn> read_record_columns(const std::string& path, const std::vector<std::string>& patterns,
                                              const Catalogue& catalogue = default_catalogue());

/// Names, units and meanings alone; `values` are empty.
std::vector<RecordColumn> list_record_columns(const std::string& path,
                                              const Catalogue& catalogue = default_catalogue());

}  // namespace carom
