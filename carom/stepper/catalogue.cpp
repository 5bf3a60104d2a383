#include "carom/stepper/catalogue.h"

#include <ostream>

#include "carom/error.h"
#include "carom/nearest_word.h"

namespace carom {
namespace {

template <class Kind>
Kind find(const std::vector<Kind>& all, const char* what, const std::string& name) {
  std::vector<std::string> known;
  for (const Kind kind : all) {
    if (name == kind->name) return kind;
    known.emplace_back(kind->name);
  }
  throw Error(unknown_word(what, name, known));
}

}  // namespace

std::ostream& operator<<(std::ostream& out, StepperKind stepper) { return out << stepper->name; }

StepperKind Catalogue::stepper(const std::string& name) const { return find(steppers, "stepper", name); }
LawKind Catalogue::law(const std::string& name) const { return find(laws, "law", name); }

const Catalogue& default_catalogue() {
  static const Catalogue catalogue{
      .steppers = {stepper_entries::stewart_trinkle, stepper_entries::anitescu_potra,
                   stepper_entries::stewart_trinkle_nonlinear, stepper_entries::semi_explicit,
                   stepper_entries::event_driven, stepper_entries::variational, stepper_entries::compliant,
                   stepper_entries::implicit_geometry, stepper_entries::quasi_rigid, stepper_entries::hybrid_dca},
      .laws = {law_entries::none, law_entries::newton, law_entries::poisson, law_entries::plus, law_entries::plastic,
               law_entries::stronge, law_entries::lzb, law_entries::propagative, law_entries::energy_blend}};
  return catalogue;
}

std::string in_words(const std::vector<std::string>& names, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " " + std::string(last) + " ") + names[i];
  }
  return text;
}

}  // namespace carom
