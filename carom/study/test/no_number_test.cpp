#include "carom/study/no_number.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace carom::no_number_test {
namespace {

TEST(NoNumber, IsNullInJson) {
  const nlohmann::ordered_json table = {{"values", {1.5, none}}};
  EXPECT_EQ(table.dump(), R"({"values":[1.5,null]})");
}

}  // namespace
}  // namespace carom::no_number_test
