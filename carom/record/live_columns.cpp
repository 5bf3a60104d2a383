#include "carom/record/live_columns.h"

#include <algorithm>

#include "carom/edit_distance.h"
#include "carom/error.h"
#include "carom/nearest_word.h"
#include "carom/record/frame_numbers.h"
#include "carom/record/interval_outputs.h"
#include "carom/record/output_formulas.h"
#include "carom/record/record_columns.h"
#include "carom/record/record_layout.h"
#include "carom/stepper/report_parts.h"

namespace carom {
namespace {

Scene scene_around(std::shared_ptr<const Model> model, const State& start,
                   const std::vector<std::pair<std::string, std::string>>& outputs) {
  Scene scene;
  scene.model = std::move(model);
  scene.initial = start;
  for (const auto& [name, formula] : outputs) scene.outputs.list.push_back({name, formula, {}});
  return scene;
}

/// The sentences of what is wrong, without places in a text that there is not.
std::string sentences(const SceneError& error) {
  std::string all;
  for (const Diagnostic& fault : error.diagnostics()) all += (all.empty() ? "" : "\n") + fault.message;
  return all;
}

}  // namespace

struct LiveColumns::Parts {
  explicit Parts(const Scene& scene)
      : model(scene.model),
        tables(record_tables(*model)),
        formulas(scene, tables),
        outputs(*model, scene.initial),
        frame(first_frame(*model, scene.initial)) {
    tables[static_cast<std::size_t>(Table::outputs)] = outputs_table(formulas.names());
    for (const TableShape& shape : tables) rows.emplace_back(shape, 0);
    fill();
  }

  /// Fills the rows, if a step came since. Formulas over all frames need it after every step; all else is of the last
  /// step alone, so that steps of which nobody asks cost no more than a copy.
  void fill() {
    if (!is_behind) return;
    is_behind = false;
    if (has_step) {
      if (is_passed_over) outputs.observe(before);
      clear_worst(frame);
      outputs.begin();
      fold_worst(frame, report);
      outputs.add(frame.state, report);
    }
    for (RowBuffer& row : rows) row.cut(0);
    push_numbers(frame, rows);
    outputs.push(rows);
    const auto number = [this](int table, int entry) { return rows[static_cast<std::size_t>(table)].last(entry); };
    rows[static_cast<std::size_t>(Table::outputs)].push(formulas.evaluate(number));
    formulas.keep();
  }

  void add(const State& state, const StepReport& step) {
    is_passed_over = is_behind;
    is_behind = has_step = true;
    std::swap(before, frame.state);
    frame.state = state;
    report = step;
    add_energy(step.energy, frame.energy);
    if (formulas.look_back()) fill();
  }

  /// All columns, listed when the first of them is asked for by its name.
  const std::vector<ColumnSource>& sources() {
    if (listed.empty()) listed = column_sources(tables, *model, true);
    return listed;
  }

  const ColumnSource& source(std::string_view name) {
    for (const ColumnSource& each : sources()) {
      if (each.column.name == name) return each;
    }
    refuse(name);
  }

  double value(const ColumnSource& source) {
    fill();
    return rows[static_cast<std::size_t>(source.table)].last(source.entry);
  }

  [[noreturn]] void refuse(std::string_view name) {
    const auto nearer = [&](const ColumnSource& a, const ColumnSource& b) {
      return edit_distance(std::string(name), a.column.name) < edit_distance(std::string(name), b.column.name);
    };
    const std::string& nearest = std::min_element(sources().begin(), sources().end(), nearer)->column.name;
    throw Error("there is no column '" + std::string(name) + "'" +
                (is_near(name, nearest) ? "; the nearest name is '" + nearest + "'" : ", nor one of a name near it"));
  }

  std::shared_ptr<const Model> model;
  std::vector<TableShape> tables;
  OutputFormulas formulas;
  IntervalOutputs outputs;
  Frame frame;
  std::vector<RowBuffer> rows;  ///< the last frame's, by table
  std::vector<ColumnSource> listed;
  State before;       ///< the last step's start
  StepReport report;  ///< of the last step
  bool has_step = false, is_behind = true, is_passed_over = false;
};

LiveColumns::LiveColumns(const Scene& scene) {
  Scene with_all = scene;
  with_all.record.outputs = true;  // what a record leaves out to be small, a formula may use here
  parts_ = std::make_unique<Parts>(with_all);
}

LiveColumns::LiveColumns(std::shared_ptr<const Model> model, const State& start,
                         const std::vector<std::pair<std::string, std::string>>& outputs) {
  try {
    parts_ = std::make_unique<Parts>(scene_around(std::move(model), start, outputs));
  } catch (const SceneError& error) {
    throw Error(sentences(error));
  }
}

LiveColumns::LiveColumns(LiveColumns&&) noexcept = default;
LiveColumns& LiveColumns::operator=(LiveColumns&&) noexcept = default;
LiveColumns::~LiveColumns() = default;

void LiveColumns::add(const State& state, const StepReport& report) { parts_->add(state, report); }

bool LiveColumns::has(std::string_view name) const {
  return std::any_of(parts_->sources().begin(), parts_->sources().end(),
                     [name](const ColumnSource& source) { return source.column.name == name; });
}

std::string LiveColumns::unit(std::string_view name) const { return parts_->source(name).column.unit; }

double LiveColumns::number(std::string_view name) const { return parts_->value(parts_->source(name)); }

std::size_t LiveColumns::place(std::string_view name) const {
  return static_cast<std::size_t>(&parts_->source(name) - parts_->sources().data());
}

double LiveColumns::number_at(std::size_t place) const { return parts_->value(parts_->sources()[place]); }

VectorX LiveColumns::outputs() const {
  parts_->fill();
  RowBuffer& row = parts_->rows[static_cast<std::size_t>(Table::outputs)];
  VectorX values(static_cast<Eigen::Index>(parts_->formulas.names().size()));
  for (Eigen::Index i = 0; i < values.size(); ++i) values[i] = row.last(static_cast<int>(i));
  return values;
}

VectorX LiveColumns::numbers(std::string_view name) const {
  std::vector<double> found;
  for (const ColumnSource& source : parts_->sources()) {
    const std::string& own = source.column.name;
    const bool begins = own.starts_with(name) && (own.size() == name.size() || own[name.size()] == '.');
    if (begins) found.push_back(parts_->value(source));
  }
  if (found.empty()) parts_->refuse(name);
  return Eigen::Map<const VectorX>(found.data(), static_cast<Eigen::Index>(found.size()));
}

std::vector<std::string> LiveColumns::names() const {
  std::vector<std::string> all;
  for (const ColumnSource& source : parts_->sources()) all.push_back(source.column.name);
  return all;
}

}  // namespace carom
