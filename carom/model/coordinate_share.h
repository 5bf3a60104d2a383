#pragma once

#include <vector>

#include "carom/spatial/types.h"

namespace carom {

class Model;
struct Drive;

/// A joint coordinate in a weighted sum of them: ratio · q.
struct CoordinateShare {
  int body = -1;  ///< whose inboard joint has the coordinate
  int coordinate = 0;
  double ratio = 1;  ///< in the sum's unit for each unit of the coordinate
};

/// The same in the stacked velocities of a model.
struct RowTerm {
  int coordinate = -1;
  double coefficient = 1;
};

/// Σ ratio q at positions q of the model; 0 without shares.
double sum_of_shares(const Model& model, const std::vector<CoordinateShare>& shares, const VectorX& q);
/// Position of what a drive acts on: Σ ratio q, rad or m.
double driven_position(const Model& model, const Drive& drive, const VectorX& q);

}  // namespace carom
