#pragma once

#include <pybind11/numpy.h>

#include <string>
#include <variant>
#include <vector>

#include "carom/output_error.h"
#include "carom/run_failure.h"
#include "carom/study/method_choice.h"
#include "scene_source.h"

// Pieces that bindings of the studies share: they give dicts, which classes of the package (carom/_comparison.py and
// others) are made of.
namespace carom::python {

using SceneOrPath = std::variant<Scene, std::string>;

/// The source of a scene, with settings as carom.load takes them. A Scene and a record, which is a source of its scene,
/// take only those of method and duration.
SceneSource study_source(const SceneOrPath& scene, const SceneSettings& settings);

/// Does the work of a study. Its faults name options of the command line, which are keywords here.
template <class Work>
auto with_keywords(Work&& work);
/// "search longer with --until" as "search longer with until".
std::string as_keywords(std::string sentence);

std::vector<MethodChoice> method_choices(const std::vector<std::string>& names);

/// With an empty line between them.
std::string paragraphs(const std::vector<std::string>& words);

inline pybind11::array_t<double> array_of(const std::vector<double>& values) {
  return pybind11::array_t<double>(static_cast<pybind11::ssize_t>(values.size()), values.data());
}
/// A column of numbers, one of each item.
template <class Item, class Number>
pybind11::array_t<double> column(const std::vector<Item>& items, Number&& number) {
  std::vector<double> values;
  for (const Item& item : items) values.push_back(static_cast<double>(number(item)));
  return array_of(values);
}

template <class Work>
auto with_keywords(Work&& work) {
  try {
    return work();
  } catch (const SceneError&) {
    throw;
  } catch (const RunFailure&) {
    throw;
  } catch (const OutputError&) {
    throw;
  } catch (const Error& error) {
    throw Error(as_keywords(error.what()));
  }
}

}  // namespace carom::python
