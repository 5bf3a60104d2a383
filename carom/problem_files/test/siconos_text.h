#pragma once

#include <Eigen/Core>
#include <cstdio>
#include <string>
#include <vector>

// Problems as Siconos writes them, for tests.
namespace carom::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

inline std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

inline std::string numbers(const VectorXd& vector) {
  std::string text;
  for (const double value : vector) text += number(value) + " ";
  return text + "\n";
}

enum class Storage { dense, blocks, triplets, columns, rows };

/// The ends of blocks of `size` rows or columns.
inline std::string ends(Eigen::Index count, Eigen::Index size) {
  std::string text;
  for (Eigen::Index i = 1; i <= count; ++i) text += std::to_string(i * size) + "\t";
  return text + "\n";
}

inline std::string block_text(const MatrixXd& M, Eigen::Index height, Eigen::Index width) {
  const Eigen::Index rows = M.rows() / height, columns = M.cols() / width;
  std::string starts = "0\t", places, values;
  int count = 0;
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index j = 0; j < columns; ++j) {
      const MatrixXd block = M.block(i * height, j * width, height, width);
      if (block.isZero(0)) continue;
      values += std::to_string(count++) + "\n";
      for (Eigen::Index k = 0; k < block.size(); ++k) values += "   " + number(block.data()[k]) + "\n";
      places += std::to_string(j) + "\t";
    }
    starts += std::to_string(count) + "\t";
  }
  return std::to_string(count) + "\n" + std::to_string(rows) + "\n" + std::to_string(columns) + "\n" +
         ends(rows, height) + ends(columns, width) + std::to_string(rows + 1) + "\n" + std::to_string(count) + "\n" +
         starts + "\n" + places + "\n" + values;
}

/// As CSparse prints a matrix: `i j : x`, or below a line for each column `i : x`.
inline std::string sparse_text(const MatrixXd& M, bool triplets) {
  std::string entries;
  int count = 0;
  for (Eigen::Index j = 0; j < M.cols(); ++j) {
    const int before = count;
    std::string column;
    for (Eigen::Index i = 0; i < M.rows(); ++i) {
      if (M(i, j) == 0) continue;
      ++count;
      column += "    " + std::to_string(i) + (triplets ? " " + std::to_string(j) : "") + " : " + number(M(i, j)) + "\n";
    }
    if (!triplets) {
      entries += "    col " + std::to_string(j) + " : locations " + std::to_string(before) + " to " +
                 std::to_string(count - 1) + "\n";
    }
    entries += column;
  }
  return "CSparse Version 4.0.1, Oct 10, 2014.  Copyright (c) Timothy A. Davis, 2006-2014\n" +
         std::string(triplets ? "triplet: " : "") + std::to_string(M.rows()) + "-by-" + std::to_string(M.cols()) +
         ", nzmax: " + std::to_string(count) + " nnz: " + std::to_string(count) + (triplets ? "\n" : ", 1-norm: 1\n") +
         entries;
}

/// height, width: of the blocks.
inline std::string matrix_text(const MatrixXd& M, Storage storage, Eigen::Index height = 1, Eigen::Index width = 1) {
  const std::string sizes = std::to_string(M.rows()) + "\n" + std::to_string(M.cols()) + "\n";
  switch (storage) {
    case Storage::dense: {
      std::string text = "0\n" + sizes + std::to_string(M.rows()) + "\t" + std::to_string(M.cols()) + "\n";
      for (Eigen::Index j = 0; j < M.cols(); ++j) text += numbers(M.col(j));
      return text;
    }
    case Storage::blocks:
      return "1\n" + sizes + block_text(M, height, width);
    case Storage::triplets:
      return "2\n" + sizes + "1\n" + sparse_text(M, true);
    case Storage::columns:
      return "2\n" + sizes + "2\n" + sparse_text(M, false);
    case Storage::rows:
      break;
  }
  return "2\n" + sizes + "3\n" + sparse_text(M.transpose(), false);
}

inline std::string contact_text(int dimension, const MatrixXd& W, const VectorXd& q, const VectorXd& mu,
                                Storage storage) {
  return std::to_string(dimension) + "\n" + std::to_string(mu.size()) + "\n" +
         matrix_text(W, storage, dimension, dimension) + numbers(q) + numbers(mu);
}

inline std::string lcp_text(const MatrixXd& M, const VectorXd& q, Storage storage = Storage::dense) {
  return std::to_string(q.size()) + "\n" + matrix_text(M, storage) + numbers(q);
}

}  // namespace carom::test
