#include "carom/record/hdf5_file.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "carom/error.h"
#include "carom/record/test/test_folder.h"

namespace carom::hdf5_file_test {
namespace {

class Hdf5FileTest : public test::FolderTest {
 protected:
  /// The attribute `columns` of a dataset, read as any program would.
  static std::vector<std::string> columns(const std::string& file, const char* dataset) {
    const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t attribute = H5Aopen_by_name(opened, dataset, "columns", H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
    std::vector<char*> texts(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Aread(attribute, type, texts.data()), 0);
    std::vector<std::string> names(texts.begin(), texts.end());
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(attribute);
    H5Fclose(opened);
    return names;
  }
};

TableShape table(int columns) {
  TableShape shape;
  shape.path = "/loads";
  shape.row = {columns};
  for (int i = 0; i < columns; ++i) shape.columns.push_back("joint " + std::to_string(i) + ".controller");
  return shape;
}

TEST_F(Hdf5FileTest, TablesOfAnyNumberOfColumnsHaveTheirNames) {
  for (const int count : {1, 3999, 4000, 4001, 4096, 20000}) {
    const std::string file = path(std::to_string(count) + ".h5");
    const TableShape shape = table(count);
    const std::vector<double> row(static_cast<std::size_t>(count), 0.25 * count);
    Hdf5File made = Hdf5File::create(file);
    made.write_rows(made.make_table(shape), 0, row.data(), 1);
    made.make_group("/after");  // of the old format again
    made.close();
    EXPECT_EQ(columns(file, "/loads"), shape.columns);
    Hdf5File read = Hdf5File::open_for_reading(file);
    EXPECT_EQ(read.read_reals(read.open_table(shape), 0, 1), row);
  }
}

TEST_F(Hdf5FileTest, WhyAFileCannotBeReadIsOneSentence) {
  const auto told = [](const std::string& file) -> std::string {
    try {
      static_cast<void>(Hdf5File::open_for_reading(file));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(told(path("none.h5")), path("none.h5") + ": there is no such record");
  EXPECT_EQ(told(path("")), path("") + " is a folder, and no record of Carom");
  const std::string text = path("text.h5");
  std::ofstream(text) << "carom: 1\n";
  EXPECT_EQ(told(text), text + " is no record of Carom: it is no HDF5 file");
  const std::string cut = path("cut.h5");
  Hdf5File made = Hdf5File::create(cut);
  const std::vector<double> row(4000, 0.5);
  made.write_rows(made.make_table(table(4000)), 0, row.data(), 1);
  made.close();
  std::filesystem::resize_file(cut, std::filesystem::file_size(cut) / 2);
  EXPECT_EQ(told(cut), cut + ": the record is cut short, its end is missing");
}

/// A list of choices is part of a dataset's type, which has to fit into 64 kB.
TEST_F(Hdf5FileTest, WhatIsTooLargeForAHeaderIsNoLackOfMemory) {
  TableShape shape;
  shape.path = "/mode";
  shape.scalar = Scalar::choice;
  for (int i = 0; i < 20000; ++i) shape.choices.push_back("mode " + std::to_string(i));
  Hdf5File file = Hdf5File::create(path("choices.h5"));
  try {
    file.make_table(shape);
    FAIL() << "a type of 20000 names was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("can't make /mode"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("too large"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace carom::hdf5_file_test
