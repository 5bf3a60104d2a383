#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "carom/import/imported_model.h"

namespace carom::import_model_test {
namespace {

namespace fs = std::filesystem;

/// A file for one test, gone after it.
class ImportModel : public testing::Test {
 protected:
  void TearDown() override { fs::remove(path_); }
  std::string write(const std::string& text) {
    std::ofstream(path_) << text;
    return path_;
  }
  std::string fault() const {
    try {
      static_cast<void>(import_model(path_));
    } catch (const ImportError& error) {
      return error.what();
    }
    return {};
  }
  std::string path_ = (fs::path(testing::TempDir()) / ("carom_model_" + std::to_string(::getpid()) + ".xml")).string();
};

TEST_F(ImportModel, TheRootElementSaysWhatItIsAndNotTheEnding) {
  write(
      "<robot name='r'><link name='a'><inertial><mass value='1'/>"
      "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link></robot>");
  const ImportedModel model = import_model(path_);
  EXPECT_EQ(model.name, "r");
  EXPECT_EQ(model.file, path_);
}

TEST_F(ImportModel, OtherFilesAreRefusedWithASentence) {
  EXPECT_EQ(fault(), path_ + ": the file cannot be opened");
  write("\n<html/>");
  EXPECT_TRUE(fault().starts_with(path_ + ":2: the root element is <html>; that of a model is <robot>")) << fault();
  write(" \n");
  EXPECT_EQ(fault(), path_ + ":1: the file is empty; a model has one root element");
  write(std::string("\xff\xfe<\0r\0/\0>\0", 10));
  EXPECT_EQ(fault(), path_ + ":1: this text has zero bytes, as UTF-16 has; save the file as UTF-8");
}

TEST_F(ImportModel, ADeclarationBelowOtherLinesIsTold) {
  write("<!-- licence -->\n<?xml version=\"1.0\"?>\n<mujoco/>\n");
  EXPECT_EQ(fault(), path_ +
                         ":2: the declaration <?xml …?> must come before all else in a file; move it to the first "
                         "line, or remove it");
  write("<?xml version=\"1.0\"?>\n<!-- licence -->\n<mujoco/>\n");
  EXPECT_EQ(fault(), "");
  write("\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<mujoco/>\n");
  EXPECT_EQ(fault(), "");
  write("<?xml version=\"1.0\"\n<mujoco/>\n");
  EXPECT_NE(fault().find("this is not XML from here on"), std::string::npos) << fault();
}

TEST_F(ImportModel, AFileOfAnotherKindIsToldFromADamagedOne) {
  write("# A ball.\ncarom: 1\nname: ball\n");
  EXPECT_NE(fault().find("this is a scene, and a model file is asked for"), std::string::npos) << fault();
  write(
      "\xEF\xBB\xBF"
      "carom: 1\n");
  EXPECT_NE(fault().find(":1: this is a scene"), std::string::npos) << fault();
  write("solid cube\nfacet normal 0 0 1\n");
  EXPECT_NE(fault().find("begins with something else"), std::string::npos) << fault();
  write("<mujoco>\ncarom: 1\n");
  EXPECT_NE(fault().find("this is not XML from here on"), std::string::npos) << fault();
}

TEST_F(ImportModel, ElementsThatNestTooDeeplyAreRefusedAtTheLimitThatTheSentenceNames) {
  // tinyxml2 goes no deeper; <include> does.
  const auto nested = [this](int levels) {
    std::string text = "<mujoco><worldbody>";
    for (int level = 3; level <= levels; ++level) text += "<frame>";
    for (int level = 3; level <= levels; ++level) text += "</frame>";
    write(text + "</worldbody></mujoco>");
    return fault();
  };
  const std::string deep = path_ + ":1: elements are nested too deeply; there can be fewer than 99 levels";
  EXPECT_EQ(nested(98), "");
  EXPECT_EQ(nested(99), deep);
  EXPECT_EQ(nested(5000), deep);
}

TEST_F(ImportModel, ADeviceWithoutAnEndIsNotReadForEver) {
  try {
    static_cast<void>(import_model("/dev/zero"));
    FAIL() << "nothing thrown";
  } catch (const ImportError& error) {
    EXPECT_STREQ(error.what(), "/dev/zero: the file is larger than 64 MiB; no model file should be");
  }
}

}  // namespace
}  // namespace carom::import_model_test
