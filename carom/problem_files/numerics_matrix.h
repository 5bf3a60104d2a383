#pragma once

#include <Eigen/SparseCore>
#include <string>

#include "carom/problem_files/problem_words.h"

namespace carom {

/// A matrix as Siconos writes it (NumericsMatrix). The first words are its storage, its rows and its columns:
///
///   0  dense:  Rows and columns again. The entries column after column, whatever the line breaks suggest.
///   1  blocks: The number of blocks, of rows of blocks and of columns of blocks. The end of each row of blocks, the
///              end of each column of blocks. Two counts a and b, then a places where rows of blocks begin and b
///              columns of blocks. Each block: its number, and its entries column after column.
///   2  sparse: 1, 2 or 3 (triplets, compressed columns, compressed rows). A line with CSparse's version. A line with
///              the sizes and the number of entries. The entries as CSparse prints them: `row column : value` for
///              triplets, else a line `col ...` for each column, and below it `row : value`. Entries given twice are
///              summed.
///
/// `name`: of the matrix, for the Error that is thrown if sizes do not fit. Zeros are not kept.
Eigen::SparseMatrix<double> read_numerics_matrix(ProblemWords& words, const std::string& name);

/// True if the next words can begin a matrix of so many rows and columns.
bool begins_numerics_matrix(const ProblemWords& words, std::int64_t rows, std::int64_t columns);

}  // namespace carom
