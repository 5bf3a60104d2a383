#include "carom/problem_files/numerics_matrix.h"

#include <charconv>

#include "carom/counted.h"

namespace carom {
namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

struct Sizes {
  std::int64_t rows = 0, columns = 0;
};

std::string sizes_text(std::int64_t rows, std::int64_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

void add(Entries& entries, std::int64_t row, std::int64_t column, double value) {
  if (value != 0) entries.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
}

/// Memory is taken only for numbers that the file can hold.
void demand_words(const ProblemWords& words, std::int64_t count, const std::string& what) {
  if (count <= static_cast<std::int64_t>(words.left())) return;
  words.refuse(what + " asks for " + counted(count, "number") + ", but the file has only " +
               std::to_string(words.left()) + " more");
}

void read_dense(ProblemWords& words, const std::string& name, const Sizes& sizes, Entries& entries) {
  const std::int64_t rows = words.integer("the number of rows of " + name),
                     columns = words.integer("the number of columns of " + name);
  if (rows != sizes.rows || columns != sizes.columns) {
    words.refuse(name + " is " + sizes_text(sizes.rows, sizes.columns) + " in its first lines and " +
                 sizes_text(rows, columns) + " here; both must be the same");
  }
  demand_words(words, rows * columns, name + ", " + sizes_text(rows, columns) + ",");
  for (std::int64_t j = 0; j < columns; ++j) {
    for (std::int64_t i = 0; i < rows; ++i) add(entries, i, j, words.real("an entry of " + name));
  }
}

/// Ends of the rows or columns of blocks; the last end is `size`.
std::vector<std::int64_t> read_ends(ProblemWords& words, std::int64_t count, std::int64_t size,
                                    const std::string& what) {
  std::vector<std::int64_t> ends = {0};
  for (std::int64_t i = 0; i < count; ++i) ends.push_back(words.integer("the end of " + what, ends.back(), size));
  if (ends.back() != size) {
    words.refuse("the last end of " + what + " is " + std::to_string(ends.back()) + "; it must be " +
                 std::to_string(size));
  }
  return ends;
}

void read_blocks(ProblemWords& words, const std::string& name, const Sizes& sizes, Entries& entries) {
  const auto most = static_cast<std::int64_t>(words.count());
  words.integer("the number of blocks of " + name, 0, most);
  const std::int64_t block_rows = words.integer("the number of rows of blocks of " + name, 0, most),
                     block_columns = words.integer("the number of columns of blocks of " + name, 0, most);
  demand_words(words, block_rows + block_columns, "the list of blocks of " + name);
  const auto row_end = read_ends(words, block_rows, sizes.rows, "a row of blocks of " + name);
  const auto column_end = read_ends(words, block_columns, sizes.columns, "a column of blocks of " + name);
  const std::int64_t begins = words.integer("the number of row starts of " + name, 0, block_rows + 1),
                     filled = words.integer("the number of filled blocks of " + name, 0, most);
  demand_words(words, begins + filled, "the list of filled blocks of " + name);
  std::vector<std::int64_t> begin, column;
  for (std::int64_t i = 0; i < begins; ++i) {
    begin.push_back(words.integer("a row start of " + name, i == 0 ? 0 : begin.back(), filled));
  }
  for (std::int64_t k = 0; k < filled; ++k) {
    column.push_back(words.integer("the column of a block of " + name, 0, block_columns - 1));
  }
  for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
    for (std::int64_t k = begin[i]; k < begin[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(column[static_cast<std::size_t>(k)]);
      words.integer("the number of a block of " + name);
      for (std::int64_t c = column_end[j]; c < column_end[j + 1]; ++c) {
        for (std::int64_t r = row_end[i]; r < row_end[i + 1]; ++r)
          add(entries, r, c, words.real("an entry of " + name));
      }
    }
  }
}

/// The number behind the word `nnz:` on the line that tells a sparse matrix' sizes.
std::int64_t read_entry_count(ProblemWords& words, const std::string& name) {
  const int line = words.line();
  std::int64_t count = -1;
  while (words.left() > 0 && words.line() == line) {
    if (words.word("") != "nnz:") continue;
    std::string_view number = words.word("the number of entries of " + name);
    if (number.ends_with(',')) number.remove_suffix(1);
    const auto [rest, error] = std::from_chars(number.data(), number.data() + number.size(), count);
    if (error != std::errc() || rest != number.data() + number.size()) count = -1;
  }
  if (count < 0)
    words.refuse("the line with the sizes of the sparse " + name + " has no `nnz:` with a number behind it");
  return count;
}

void read_colon(ProblemWords& words, const std::string& name) {
  if (words.word("an entry of " + name) != ":")
    words.refuse("an entry of " + name + " lacks the colon before its value");
}

void read_sparse(ProblemWords& words, const std::string& name, const Sizes& sizes, Entries& entries) {
  constexpr std::int64_t compressed_rows = 3;
  const std::int64_t origin = words.integer("the kind of sparse storage of " + name, 1, 3);
  if (words.word("CSparse's line of " + name) != "CSparse") {
    words.refuse("the sparse " + name + " must begin with a line `CSparse Version ...`");
  }
  words.skip_line();
  const bool triplets = words.peek() == "triplet:";
  const std::int64_t count = read_entry_count(words, name);
  demand_words(words, count, "the sparse " + name);
  // Compressed rows are printed as columns of the transposed matrix.
  const bool transposed = !triplets && origin == compressed_rows;
  const std::int64_t inner = transposed ? sizes.columns : sizes.rows, outer = transposed ? sizes.rows : sizes.columns;
  std::int64_t column = -1;
  for (std::int64_t k = 0; k < count;) {
    if (!triplets && words.peek() == "col") {
      words.word("");
      column = words.integer("a column of " + name, column + 1, outer - 1);
      words.skip_line();
      continue;
    }
    const std::int64_t row = words.integer("the row of an entry of " + name, 0, inner - 1);
    if (triplets) column = words.integer("the column of an entry of " + name, 0, outer - 1);
    if (column < 0) words.refuse("an entry of " + name + " stands before the first line `col`");
    read_colon(words, name);
    const double value = words.real("an entry of " + name);
    add(entries, transposed ? column : row, transposed ? row : column, value);
    ++k;
  }
  // Columns without entries may follow.
  while (!triplets && words.peek() == "col") {
    words.word("");
    words.skip_line();
  }
}

}  // namespace

Eigen::SparseMatrix<double> read_numerics_matrix(ProblemWords& words, const std::string& name) {
  const std::int64_t storage = words.integer("the storage of " + name, 0, 2);
  // A vector of as many entries follows every matrix, so a size beyond the file's words is none.
  const auto most = static_cast<std::int64_t>(words.count());
  Sizes sizes;
  sizes.rows = words.integer("the number of rows of " + name, 0, most);
  sizes.columns = words.integer("the number of columns of " + name, 0, most);
  Entries entries;
  if (storage == 0) {
    read_dense(words, name, sizes, entries);
  } else if (storage == 1) {
    read_blocks(words, name, sizes, entries);
  } else {
    read_sparse(words, name, sizes, entries);
  }
  Eigen::SparseMatrix<double> matrix(sizes.rows, sizes.columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

bool begins_numerics_matrix(const ProblemWords& words, std::int64_t rows, std::int64_t columns) {
  const auto storage = words.peek_integer(0);
  return storage && *storage >= 0 && *storage <= 2 && words.peek_integer(1) == rows && words.peek_integer(2) == columns;
}

}  // namespace carom
