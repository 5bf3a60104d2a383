#pragma once

#include <Eigen/SparseCore>
#include <string>

#include "carom/problem_files/problem_words.h"

namespace carom {

/// A matrix as Siconos writes it (NumericsMatrix), the first words its storage, its rows and its columns:
///
///   0  dense: rows and columns again, then the entries column after column, whatever the line breaks suggest
///   1  blocks: how many blocks, rows and columns of blocks; where each row of blocks ends, each column; two counts,
///   and so
///      many places where each row of blocks begins and columns of blocks; then each block, its number and its entries
///      column after column
///   2  sparse: 1, 2 or 3 (triplets, compressed columns, compressed rows), a line with CSparse's version, a line with
///      sizes and the number of entries, and the entries as CSparse prints them, `row column : value` or, below a
///      line `col ...` for each column, `row : value`. Entries given twice are summed
///
/// `name`: of the matrix, for the Error that is thrown where sizes do not fit. Zeros are not kept.
Eigen::SparseMatrix<double> read_numerics_matrix(ProblemWords& words, const std::string& name);

/// True if the next words can begin a matrix of so many rows and columns.
bool begins_numerics_matrix(const ProblemWords& words, std::int64_t rows, std::int64_t columns);

}  // namespace carom
