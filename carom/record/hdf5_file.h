#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace carom {

/// Type of a table's elements: doubles, 64-bit integers, or one of a list of names stored as an HDF5 enumeration
/// over 64-bit integers.
enum class Scalar { real, integer, choice };

/// A dataset that grows along its first axis.
struct TableShape {
  std::string path;  ///< "/contacts/gap"
  Scalar scalar = Scalar::real;
  std::vector<int> row;              ///< extents of one row: {} a number, {3} a vector, {3, 3} a matrix
  std::string unit;                  ///< attribute `unit`
  std::string meaning;               ///< attribute `meaning`
  std::vector<std::string> columns;  ///< attribute `columns`, the names along the second axis; empty for none
  std::vector<std::string> choices;  ///< names of the values 0, 1, … of a choice
  /// Stored as it is: for numbers of which all digits change from row to row, such as velocities. To compress them
  /// takes as long as a step of a robot, and saves a seventh.
  bool plain = false;

  int width() const {
    int width = 1;
    for (int extent : row) width *= extent;
    return width;
  }
};

/// One HDF5 file, as much of it as a record needs. Everything that goes wrong is an Error that names the file and gives
/// the library's own reason.
///
/// Files have the format of HDF5 1.8 and earlier, so every tool opens them. This format has no mark "still open for
/// writing". So a file that was flushed and then left alone is as good as one that was closed. Tables are chunked,
/// shuffled and compressed. The library's global lock makes calls from several threads safe but not parallel.
class Hdf5File {
 public:
  /// A new file; there must be none of this name. Writers take no lock.
  static Hdf5File create(const std::string& path);
  static Hdf5File open_for_writing(const std::string& path);
  /// Throws Error with a sentence if it is no HDF5 file, or cut short. Holds a shared lock, which keeps the file as it
  /// is while it is open.
  static Hdf5File open_for_reading(const std::string& path);

  Hdf5File(Hdf5File&&) noexcept;
  Hdf5File& operator=(Hdf5File&&) noexcept;
  ~Hdf5File();  ///< closes, and says nothing of what could not be written

  const std::string& path() const;
  bool has(const std::string& object) const;
  void make_group(const std::string& group);

  // Tables. The numbers returned stand for the table in the calls below.
  int make_table(const TableShape& shape);
  int open_table(const TableShape& shape);  ///< refuses a dataset of another shape or kind
  std::int64_t rows(int table) const;
  /// Rows [first, first + count) become `data`, row after row, and the table ends there.
  void write_rows(int table, std::int64_t first, const double* data, std::int64_t count);
  void write_rows(int table, std::int64_t first, const std::int64_t* data, std::int64_t count);
  std::vector<double> read_reals(int table, std::int64_t first, std::int64_t count) const;
  std::vector<std::int64_t> read_integers(int table, std::int64_t first, std::int64_t count) const;

  // Lists of texts (UTF-8), written once.
  void write_texts(const std::string& dataset, const std::vector<std::string>& texts);
  std::vector<std::string> read_texts(const std::string& dataset) const;

  // One text of any length, and a list of doubles, compressed, written once.
  void write_long_text(const std::string& dataset, const std::string& text);
  std::string read_long_text(const std::string& dataset) const;
  void write_numbers(const std::string& dataset, const std::vector<double>& numbers);
  std::vector<double> read_numbers(const std::string& dataset) const;

  // Attributes of a group or dataset; setting one that is there replaces it.
  void set(const std::string& object, const std::string& name, double value);
  void set(const std::string& object, const std::string& name, std::int64_t value);
  void set(const std::string& object, const std::string& name, const std::string& value);
  double real(const std::string& object, const std::string& name) const;
  std::int64_t integer(const std::string& object, const std::string& name) const;
  std::string text(const std::string& object, const std::string& name) const;

  /// Everything written so far is with the operating system when this returns. Throws OutputError where the system
  /// refuses it, as writing does; the file is then good for nothing, but can be closed.
  void flush();
  /// Flushes and closes, with the same errors. Nothing may be called after it.
  void close();

 private:
  struct Handles;
  explicit Hdf5File(std::unique_ptr<Handles> handles);
  std::unique_ptr<Handles> handles_;
};

}  // namespace carom
