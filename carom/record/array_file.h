#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace carom {

/// An HDF5 file of plain arrays and texts in groups, as numerical programs exchange them: as much of HDF5 as problem
/// files need. Everything that goes wrong is an Error that names the file and the dataset.
///
/// The claims of a damaged file are not believed. A dataset of more elements than its bytes in the file could hold is
/// refused before memory is taken for it. The HDF5 library itself (1.10) is not safe against files that were damaged on
/// purpose: some crash it.
class ArrayFile {
 public:
  /// A new file, in place of an existing one. Call finish() at the end.
  static ArrayFile create(const std::string& path);
  static ArrayFile open(const std::string& path);
  /// True if the file is there and begins as HDF5 does.
  static bool is_hdf5(const std::string& path);

  ArrayFile(ArrayFile&&) noexcept;
  ArrayFile& operator=(ArrayFile&&) noexcept;
  ~ArrayFile();

  const std::string& path() const;
  /// Object names are absolute, "/group/dataset".
  bool has(const std::string& object) const;
  /// True if there is such a dataset and anything was ever written to it.
  bool is_filled(const std::string& dataset) const;
  bool is_group(const std::string& object) const;
  /// Names of the groups and datasets in a group ("/" is the whole file), in the order of bytes. Links that lead
  /// nowhere and named types are left aside.
  std::vector<std::string> names(const std::string& group) const;
  /// Extents of a dataset's axes; none for a single element.
  std::vector<std::size_t> extents(const std::string& dataset) const;
  /// True if its elements are integers or floating-point numbers.
  bool holds_numbers(const std::string& dataset) const;
  bool holds_texts(const std::string& dataset) const;
  bool has_attribute(const std::string& object, const std::string& name) const;
  void make_group(const std::string& group);

  // Reals are doubles and integers 32-bit in the file; `extent`: of every axis, the last one running fastest.
  void write_reals(const std::string& dataset, const std::vector<int>& extent, const double* values);
  void write_integers(const std::string& dataset, const std::vector<int>& extent, const int* values);
  void write_text(const std::string& dataset, const std::string& text);

  /// All elements of a dataset of any shape. Reals may be stored as any kind of number, integers as any integers.
  std::vector<double> reals(const std::string& dataset) const;
  std::vector<std::int64_t> integers(const std::string& dataset) const;
  std::string text(const std::string& dataset) const;
  /// All texts of a dataset of any shape, of fixed or of variable length.
  std::vector<std::string> texts(const std::string& dataset) const;

  /// Closes the file. Throws Error (OutputError where the system refuses it) unless all that was written is with the
  /// operating system. Nothing may be called after it.
  void finish();

 private:
  struct Handles;
  explicit ArrayFile(std::unique_ptr<Handles> handles);
  std::unique_ptr<Handles> handles_;
};

}  // namespace carom
