#include "carom/stepper/ignored_data.h"

#include <algorithm>

namespace carom {
namespace {

bool reads_data(const StepperEntry& stepper, std::string_view key) {
  return std::find(stepper.material_data.begin(), stepper.material_data.end(), key) != stepper.material_data.end();
}

constexpr std::string_view spring = "tangential_spring";

}  // namespace

std::vector<std::string> ignored_material_data(const Method& method) {
  std::vector<std::string> ignored;
  for (const std::string_view key : friction_data) {
    const bool reads = reads_data(method.stepper.entry(), key) &&
                       (key != spring || method.law->reads_tangential_spring || method.stepper->has_own_restitution);
    if (!reads) ignored.emplace_back(key);
  }
  return ignored;
}

std::string article_of(const std::string& key) { return key.starts_with("impact") ? "an " : "a "; }

std::string ignored_material_data_remedy(const Method& method, const std::string& key, const Catalogue& catalogue) {
  const auto users = catalogue.steppers_that([&](const StepperEntry& stepper) { return reads_data(stepper, key); });
  if (key == spring && reads_data(method.stepper.entry(), key)) {
    const auto laws = catalogue.laws_that([](const LawEntry& law) { return law.reads_tangential_spring; });
    return "which law " + in_words(laws, "or") + " reads, and law " + law_name(method.law) +
           " would ignore; leave it out, or choose that law";
  }
  const std::string ignores = "stepper " + stepper_name(method.stepper) + " would ignore; leave it out";
  if (users.empty()) return "which " + ignores;
  if (users.size() == 1) return "which stepper " + users[0] + " uses, and " + ignores + ", or choose that one";
  return "which steppers " + in_words(users) + " use, and " + ignores + ", or choose one of these";
}

}  // namespace carom
