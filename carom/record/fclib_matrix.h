#pragma once

#include <Eigen/SparseCore>
#include <string>

#include "carom/record/array_file.h"

namespace carom {

/// A matrix of an FCLib file: a group of m (rows), n (columns), nzmax, nz, p, i, x. nz = −1: compressed columns, p the
/// n + 1 pointers and i row indices. nz = −2: compressed rows, the same transposed. nz ≥ 0: so many triplets; as in
/// CSparse, and in the files that are about, p holds columns and i rows, though fclib.h says the opposite; where p is
/// beyond the columns and swapping helps they are swapped. Entries given twice are summed.
///
/// Throws Error if a dataset is missing, the matrix is not rows × columns (`why` says what demands that), an index is
/// out of range or an entry is not finite.
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
