#include "carom/stepper/quasi_rigid/step_rows.h"

#include <limits>

#include "carom/numerics/least_squares.h"

namespace carom {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double dependent = 1e-9;  // of the largest pivot

}  // namespace

double StepRow::along(const VectorX& w) const {
  double sum = 0;
  for (std::size_t i = 0; i < coordinates.size(); ++i) sum += force[static_cast<Eigen::Index>(i)] * w[coordinates[i]];
  return sum;
}

StepRowMaker::StepRowMaker(const Model& model) : standing_(model), place_(model), velocities_(model.velocity_count()) {
  for (const Constraint& constraint : model.constraints()) {
    const bool rolls = constraint.kind == ConstraintKind::rolling, skates = constraint.kind == ConstraintKind::blade;
    // The normal row of a rolling disc, which comes last, is all that a position can violate.
    for (int i = 0; i < row_count(constraint.kind); ++i) positional_.push_back(skates || (rolls && i < 2) ? 0 : 1);
  }
}

void StepRowMaker::keep_independent(int constraints, std::vector<StepRow>& rows) const {
  if (constraints < 2) return;
  MatrixX columns = MatrixX::Zero(velocities_, constraints);
  for (int i = 0; i < constraints; ++i) {
    const StepRow& row = rows[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < row.coordinates.size(); ++k) {
      columns(row.coordinates[k], i) = row.force[static_cast<Eigen::Index>(k)];
    }
    const double size = columns.col(i).norm();
    if (size > 0) columns.col(i) /= size;
  }
  const std::vector<int> redundant = dependent_columns(columns, dependent);
  if (redundant.empty()) return;
  std::vector<char> keep(rows.size(), 1);
  for (const int i : redundant) keep[static_cast<std::size_t>(i)] = 0;
  std::vector<StepRow> kept;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (keep[i]) kept.push_back(rows[i]);
  }
  rows.swap(kept);
}

void StepRowMaker::make(const Model& model, double h, const Linearisation& at, const DynamicsWorkspace& workspace,
                        const std::vector<Contact>& stops, std::vector<StepRow>& rows) {
  place_.move(model, at.q, VectorX::Zero(velocities_), 0);
  standing_.pose(model, h, at, workspace, constraint_rows_, blocks_);
  rows.clear();
  const auto add = [&](const ConstraintRow& constraint_row, StepRow row) {
    place_.row_path(model, constraint_row, row.coordinates);
    row.force.resize(static_cast<Eigen::Index>(row.coordinates.size()));
    place_.row_coefficients(model, constraint_row, row.coordinates, row.force);
    row.pushes = constraint_row;
    rows.push_back(row);
  };
  const int constraints = standing_.constraint_count();
  for (int i = 0; i < standing_.count(); ++i) {
    const Block& block = blocks_[static_cast<std::size_t>(i)];
    StepRow row;
    row.block = block;
    row.offset = block.offset;
    row.compliance = constraint_rows_[static_cast<std::size_t>(i)].compliance;
    row.lower = block.kind == BlockKind::bounded ? block.lower : -unlimited;
    row.upper = block.kind == BlockKind::bounded ? block.upper : unlimited;
    if (i < constraints) {
      row.number = i;
      row.rate = standing_.rate(i);
      if (positional_[static_cast<std::size_t>(i)]) row.kind = StepRow::Kind::constraint;
    }
    row.is_friction = i >= constraints && row.compliance == 0;
    if (const StandingRows::Spring* spring = standing_.spring(i)) {
      row.spring = spring->constraint;
      row.damping = spring->damping;
    }
    add(constraint_rows_[static_cast<std::size_t>(i)], row);
  }
  keep_independent(constraints, rows);
  for (const Contact& stop : stops) {
    StepRow row;
    row.kind = stop.id.is_ratchet() ? StepRow::Kind::velocity : StepRow::Kind::stop;
    row.upper = unlimited;
    row.stop = stop;
    constraint_rows_.clear();
    append_rows(stop, constraint_rows_);
    add(constraint_rows_.front(), row);
  }
}

}  // namespace carom
