#include "carom/record/output_formulas.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "carom/record/record_columns.h"
#include "carom/record/record_layout.h"

namespace carom {
namespace {

/// A formula with one value, to be bound; `name` is that of its column.
struct ScalarOutput {
  std::string name, formula, shown;
  Place place;
};

std::string without_blanks_around(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// The outputs with a vector's components in place of it.
std::vector<ScalarOutput> scalars(const SceneOutputs& outputs, const FormulaNames& names) {
  std::vector<ScalarOutput> all;
  for (const SceneOutput& output : outputs.list) {
    const std::string formula = without_blanks_around(output.formula);
    const auto components = names.components(formula);
    if (components.empty() || names.find(formula) != nullptr) {
      all.push_back({output.name, formula, formula, output.place});
      continue;
    }
    for (const auto& [axis, place] : components) {
      all.push_back({output.name + "." + axis, formula + "." + axis, formula, output.place});
    }
  }
  return all;
}

/// Outputs after those that they use, round by round. Those in a circle, which no round reaches, are left out. An
/// output reads columns by their numbers; outputs are those from `first_output` on.
template <class Bound>
std::vector<std::size_t> order_of(const std::vector<Bound>& bound, int first_output) {
  std::vector<std::size_t> order;
  std::vector<char> done(bound.size(), 0);
  for (bool went_on = true; went_on;) {
    went_on = false;
    for (std::size_t i = 0; i < bound.size(); ++i) {
      const std::vector<int>& reads = bound[i].reads();
      const bool ready = std::all_of(reads.begin(), reads.end(), [&](int place) {
        return place < first_output || done[static_cast<std::size_t>(place - first_output)] != 0;
      });
      if (done[i] != 0 || !ready) continue;
      done[i] = 1;
      order.push_back(i);
      went_on = true;
    }
  }
  return order;
}

}  // namespace

OutputFormulas::OutputFormulas(const Scene& scene) : OutputFormulas(scene, record_tables(*scene.model)) {}

OutputFormulas::OutputFormulas(const Scene& scene, const std::vector<TableShape>& tables) {
  if (scene.outputs.list.empty()) return;
  Diagnostics diagnostics(scene.file, scene.text);
  FormulaNames names;
  const auto sources = column_sources(tables, *scene.model, scene.record.outputs);
  for (const ColumnSource& source : sources) {
    names.add(source.column.name, static_cast<int>(columns_.size()));
    if (source.column.name == "time") names.add("t", static_cast<int>(columns_.size()));
    columns_.push_back({source.table, source.entry});
  }
  const std::vector<ScalarOutput> all = scalars(scene.outputs, names);
  const auto complain = [&](const ScalarOutput& output, const std::string& what) {
    diagnostics.add(output.place, "output " + in_quotes(output.name) + ": " + what);
  };
  for (const auto& [name, value] : scene.outputs.parameters) {
    if (names.find(name) != nullptr) {
      for (const ScalarOutput& output : all) {
        const std::vector<std::string> words = plain_words(output.formula);
        if (std::find(words.begin(), words.end(), name) == words.end()) continue;
        complain(output, in_quotes(name) + " is a parameter and a column of the record; rename the parameter");
      }
    }
    names.add_constant(name, value);
  }
  const int first_output = static_cast<int>(columns_.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (names.find(all[i].name) != nullptr) {
      complain(all[i], "a column, a parameter or another output has this name; choose another");
    }
    names.add(all[i].name, first_output + static_cast<int>(i));
  }
  for (const ScalarOutput& output : all) {
    names_.push_back(output.name);
    formulas_.push_back(output.shown);
    try {
      bound_.emplace_back(output.formula, names, OneNumberExtreme::of_all_so_far);
    } catch (const ExpressionFault& fault) {
      const bool least = !scene.record.outputs && fault.offset >= 0;
      complain(output, fault.message + (least ? " (record: {columns: least} leaves the world's columns out)" : ""));
    }
  }
  diagnostics.throw_if_any();

  in_order_ = order_of(bound_, first_output);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool in_circle = std::find(in_order_.begin(), in_order_.end(), i) == in_order_.end();
    if (in_circle) complain(all[i], "it depends on itself, or on outputs that do; write it without them");
  }
  diagnostics.throw_if_any();
  outputs_.resize(all.size());
}

VectorX OutputFormulas::evaluate(const std::function<double(int, int)>& number) {
  for (const std::size_t i : in_order_) {
    numbers_.clear();
    for (const int place : bound_[i].reads()) {
      const auto at = static_cast<std::size_t>(place);
      numbers_.push_back(at < columns_.size() ? number(columns_[at].table, columns_[at].entry)
                                              : outputs_[at - columns_.size()]);
    }
    const double value = bound_[i].evaluate(numbers_);
    outputs_[i] = std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
  }
  return Eigen::Map<const VectorX>(outputs_.data(), static_cast<Eigen::Index>(outputs_.size()));
}

void OutputFormulas::keep() {
  for (NamedFormula& formula : bound_) formula.keep();
}

bool OutputFormulas::look_back() const {
  return std::any_of(bound_.begin(), bound_.end(), [](const NamedFormula& f) { return f.looks_back(); });
}

void OutputFormulas::resume(const Hdf5File& file, std::int64_t frames) {
  if (!look_back()) return;
  struct Rows {
    std::vector<double> numbers;
    std::size_t width = 0;
  };
  std::map<int, Rows> tables;
  for (const NamedFormula& formula : bound_) {
    for (const int place : formula.reads()) {
      if (static_cast<std::size_t>(place) >= columns_.size()) continue;
      Rows& rows = tables[columns_[static_cast<std::size_t>(place)].table];
      if (rows.width > 0 || frames == 0) continue;
      rows.numbers = file.read_reals(columns_[static_cast<std::size_t>(place)].table, 0, frames);
      rows.width = rows.numbers.size() / static_cast<std::size_t>(frames);
    }
  }
  for (std::int64_t frame = 0; frame < frames; ++frame) {
    evaluate([&](int table, int entry) {
      const Rows& rows = tables.at(table);
      return rows.numbers[static_cast<std::size_t>(frame) * rows.width + static_cast<std::size_t>(entry)];
    });
    keep();
  }
}

std::vector<OutputRange> summed_up(const OutputFormulas& formulas, const std::vector<double>& rows) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const std::size_t width = formulas.names().size();
  std::vector<OutputRange> ranges;
  for (std::size_t i = 0; i < width; ++i) {
    OutputRange range{formulas.names()[i], formulas.formulas()[i], none, none, none};
    for (std::size_t at = i; at < rows.size(); at += width) {
      range.last = rows[at];
      range.least = std::fmin(range.least, rows[at]);
      range.greatest = std::fmax(range.greatest, rows[at]);
    }
    ranges.push_back(std::move(range));
  }
  return ranges;
}

}  // namespace carom
