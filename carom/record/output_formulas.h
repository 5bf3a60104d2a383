#pragma once

#include <functional>
#include <string>
#include <vector>

#include "carom/record/hdf5_file.h"
#include "carom/record/record.h"
#include "carom/scene/named_formula.h"
#include "carom/scene/scene.h"

namespace carom {

/// The outputs of a scene, bound to the columns of its record. They are evaluated frame by frame from the rows that the
/// record's tables get. A formula may use every column that `carom export --list` names, the scene's parameters, other
/// outputs, and t. A formula that is the name of a vector alone makes a column of each component. The functions max and
/// min of one number are over the recorded frames up to the present one.
class OutputFormulas {
 public:
  /// Throws SceneError with all faults: unknown names (with the nearest one), outputs that depend on each other in a
  /// circle, names that are taken.
  explicit OutputFormulas(const Scene& scene);
  /// The same with the tables that record_tables(*scene.model) gives.
  OutputFormulas(const Scene& scene, const std::vector<TableShape>& tables);

  /// Names of the columns, and the formulas as the scene has them, one of each column.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& formulas() const { return formulas_; }

  /// True if a value depends on earlier frames, so that each frame has to be evaluated.
  bool look_back() const;
  /// Values at the next frame, in the order of names(). `number`: the number at an entry of a table's row of that
  /// frame.
  VectorX evaluate(const std::function<double(int table, int entry)>& number);
  /// The frame last evaluated stays.
  void keep();
  /// Takes up a run after its first `frames` frames, which the file has.
  void resume(const Hdf5File& file, std::int64_t frames);

 private:
  struct Column {
    int table, entry;
  };
  std::vector<Column> columns_;  ///< by place; those behind them are outputs
  std::vector<std::string> names_, formulas_;
  std::vector<NamedFormula> bound_;        ///< by column of the table
  std::vector<std::size_t> in_order_;      ///< every formula after those that it uses
  std::vector<double> numbers_, outputs_;  ///< work
};

/// Ranges of the rows of /outputs, all frames.
std::vector<OutputRange> summed_up(const OutputFormulas& formulas, const std::vector<double>& rows);

}  // namespace carom
