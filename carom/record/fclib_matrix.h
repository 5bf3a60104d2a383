#pragma once

#include <Eigen/SparseCore>
#include <string>

#include "carom/record/array_file.h"

namespace carom {

/// A matrix of an FCLib file: a group of m (rows), n (columns), nzmax, nz, p, i, x. If nz = −1, columns are compressed:
/// p has the n + 1 pointers and i the row indices. If nz = −2, rows are compressed, the same transposed. If nz ≥ 0,
/// there are nz triplets. As in CSparse, and in the files in use, p holds their columns and i their rows, though
/// fclib.h says the opposite. If p is beyond the columns and swapping p and i helps, they are swapped. Entries given
/// twice are summed.
///
/// Throws Error if a dataset is missing, an index is out of range or an entry is not finite. It also does so if the
/// matrix is not rows × columns; `why` says what demands that.
Eigen::SparseMatrix<double> read_fclib_matrix(const ArrayFile& file, const std::string& group, Eigen::Index rows,
                                              Eigen::Index columns, const std::string& why);

/// Writes compressed rows (nz = −2), as most files have them.
void write_fclib_matrix(ArrayFile& file, const std::string& group, const Eigen::SparseMatrix<double>& matrix);

/// A vector; throws Error unless it has `size` entries (any number for −1), all finite.
Eigen::VectorXd read_fclib_vector(const ArrayFile& file, const std::string& dataset, Eigen::Index size,
                                  const std::string& why);
void write_fclib_vector(ArrayFile& file, const std::string& dataset, const Eigen::Ref<const Eigen::VectorXd>& vector);

/// The one integer of a dataset.
std::int64_t read_fclib_integer(const ArrayFile& file, const std::string& dataset);
void write_fclib_integer(ArrayFile& file, const std::string& dataset, int value);

}  // namespace carom
