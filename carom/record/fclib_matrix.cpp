#include "carom/record/fclib_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/counted.h"
#include "carom/error.h"

namespace carom {
namespace {

using Integers = std::vector<std::int64_t>;

[[noreturn]] void refuse(const ArrayFile& file, const std::string& group, const std::string& what) {
  throw Error(file.path() + ": matrix " + group + " " + what);
}

bool within(const Integers& indices, std::size_t count, std::int64_t below) {
  return std::all_of(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](std::int64_t index) { return index >= 0 && index < below; });
}

/// Content of a group, with as many indices and entries as nz or the pointers say.
struct Raw {
  std::int64_t m = 0, n = 0, nz = 0;
  Integers p, i;
  std::vector<double> x;
};

void check_entries(const ArrayFile& file, const std::string& group, const Raw& raw, std::size_t count) {
  if (count > std::numeric_limits<int>::max()) refuse(file, group, "has more entries than 32-bit indices can count");
  if (raw.i.size() < count || raw.x.size() < count) {
    refuse(file, group,
           "announces " + counted(static_cast<std::int64_t>(count), "entry", "entries") + ", but i has " +
               std::to_string(raw.i.size()) + " and x has " + std::to_string(raw.x.size()) +
               "; both must have at least as many");
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (!std::isfinite(raw.x[k])) refuse(file, group, "has an entry, x[" + std::to_string(k) + "], that is not finite");
  }
}

std::vector<Eigen::Triplet<double>> entries_of_triplets(const ArrayFile& file, const std::string& group, Raw& raw) {
  const auto count = static_cast<std::size_t>(raw.nz);
  if (raw.p.size() < count) {
    refuse(file, group,
           "announces " + counted(raw.nz, "triplet") + ", but p has " + counted(std::ssize(raw.p), "index", "indices"));
  }
  check_entries(file, group, raw, count);
  if (!within(raw.p, count, raw.n) && within(raw.p, count, raw.m) && within(raw.i, count, raw.n)) {
    std::swap(raw.p, raw.i);
  }
  if (!within(raw.p, count, raw.n) || !within(raw.i, count, raw.m)) {
    refuse(file, group,
           "has a triplet outside its " + counted(raw.m, "row") + " and " + counted(raw.n, "column") +
               "; i holds rows and p columns, both from 0");
  }
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    entries.emplace_back(static_cast<int>(raw.i[k]), static_cast<int>(raw.p[k]), raw.x[k]);
  }
  return entries;
}

std::vector<Eigen::Triplet<double>> entries_of_compressed(const ArrayFile& file, const std::string& group,
                                                          const Raw& raw) {
  const bool by_row = raw.nz == -2;
  const std::int64_t outer = by_row ? raw.m : raw.n, inner = by_row ? raw.n : raw.m;
  const std::string name = by_row ? "row" : "column";
  const auto pointers = static_cast<std::size_t>(outer) + 1;
  if (raw.p.size() < pointers) {
    refuse(file, group,
           "has " + counted(outer, name) + ", but p has " + counted(std::ssize(raw.p), "pointer") + "; compressed " +
               name + "s need one more than " + name + "s");
  }
  const auto last = raw.p.begin() + static_cast<std::ptrdiff_t>(pointers);
  if (raw.p.front() != 0 || !std::is_sorted(raw.p.begin(), last)) {
    refuse(file, group, "has pointers p that do not start at 0 or that fall");
  }
  const auto count = static_cast<std::size_t>(raw.p[pointers - 1]);
  check_entries(file, group, raw, count);
  if (!within(raw.i, count, inner)) {
    refuse(file, group,
           "has an index i outside its " + counted(inner, by_row ? "column" : "row") + "; they are counted from 0");
  }
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(count);
  for (std::size_t k = 0; k + 1 < pointers; ++k) {
    for (std::int64_t e = raw.p[k]; e < raw.p[k + 1]; ++e) {
      const int one = static_cast<int>(k), other = static_cast<int>(raw.i[static_cast<std::size_t>(e)]);
      entries.emplace_back(by_row ? one : other, by_row ? other : one, raw.x[static_cast<std::size_t>(e)]);
    }
  }
  return entries;
}

std::string size_text(std::int64_t rows, std::int64_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

}  // namespace

Eigen::SparseMatrix<double> read_fclib_matrix(const ArrayFile& file, const std::string& group, Eigen::Index rows,
                                              Eigen::Index columns, const std::string& why) {
  Raw raw;
  raw.m = read_fclib_integer(file, group + "/m");
  raw.n = read_fclib_integer(file, group + "/n");
  raw.nz = read_fclib_integer(file, group + "/nz");
  if (raw.m != rows || raw.n != columns) {
    refuse(file, group, "is " + size_text(raw.m, raw.n) + ", but " + why + "; it must be " + size_text(rows, columns));
  }
  if (raw.nz < -2) {
    refuse(file, group,
           "has nz = " + std::to_string(raw.nz) +
               "; it must be -1 (compressed columns), -2 (compressed rows) or the number of triplets");
  }
  raw.p = file.integers(group + "/p");
  raw.i = file.integers(group + "/i");
  raw.x = file.reals(group + "/x");
  const auto entries = raw.nz >= 0 ? entries_of_triplets(file, group, raw) : entries_of_compressed(file, group, raw);
  Eigen::SparseMatrix<double> matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

void write_fclib_matrix(ArrayFile& file, const std::string& group, const Eigen::SparseMatrix<double>& matrix) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> by_row = matrix;
  const int count = static_cast<int>(by_row.nonZeros()), rows = static_cast<int>(by_row.rows());
  file.make_group(group);
  write_fclib_integer(file, group + "/nzmax", count);
  write_fclib_integer(file, group + "/m", rows);
  write_fclib_integer(file, group + "/n", static_cast<int>(by_row.cols()));
  write_fclib_integer(file, group + "/nz", -2);
  file.write_integers(group + "/p", {rows + 1}, by_row.outerIndexPtr());
  file.write_integers(group + "/i", {count}, by_row.innerIndexPtr());
  file.write_reals(group + "/x", {count}, by_row.valuePtr());
}

Eigen::VectorXd read_fclib_vector(const ArrayFile& file, const std::string& dataset, Eigen::Index size,
                                  const std::string& why) {
  const std::vector<double> values = file.reals(dataset);
  const auto count = static_cast<Eigen::Index>(values.size());
  if (count > std::numeric_limits<int>::max()) throw Error(file.path() + ": " + dataset + " is too long");
  if (size >= 0 && count != size) {
    throw Error(file.path() + ": " + dataset + " has " + counted(count, "entry", "entries") + ", but " + why +
                "; it must have " + std::to_string(size));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw Error(file.path() + ": entry " + std::to_string(i) + " of " + dataset + " is not a finite number");
    }
  }
  return Eigen::Map<const Eigen::VectorXd>(values.data(), count);
}

void write_fclib_vector(ArrayFile& file, const std::string& dataset, const Eigen::Ref<const Eigen::VectorXd>& vector) {
  file.write_reals(dataset, {static_cast<int>(vector.size())}, vector.data());
}

std::int64_t read_fclib_integer(const ArrayFile& file, const std::string& dataset) {
  const std::vector<std::int64_t> values = file.integers(dataset);
  if (values.size() != 1) throw Error(file.path() + ": " + dataset + " must be one integer");
  return values[0];
}

void write_fclib_integer(ArrayFile& file, const std::string& dataset, int value) {
  file.write_integers(dataset, {1}, &value);
}

}  // namespace carom
