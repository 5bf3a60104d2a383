#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "carom/error.h"
#include "carom/record/stored_words.h"

// Values as JSON and back, bit for bit, by the field lists of their structs: visit_fields(value, f) calls f(name, field)
// for every field, alike for writing and for reading.
//
// Numbers have the fewest digits that give the double back; what is not finite is "inf", "-inf" or "nan". Enumerators,
// steppers and laws are their names. Vectors and matrices are lists, a matrix row by row (of twists one list for each).
// One of several structs has its name under "kind". Lists of more than a few numbers lie in a list of doubles beside the
// text, as {"first": …, "count": …}. What several parts share is written once, in a list of its own kind, and named by
// its place there.
namespace carom::stored {

using Json = nlohmann::ordered_json;

/// Text, and the long lists of numbers that it refers to.
struct Tree {
  std::string text;
  std::vector<double> numbers;
};

constexpr std::size_t longest_inline = 32;

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsArray : std::false_type {};
template <class T, std::size_t n>
struct IsArray<std::array<T, n>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVariant : std::false_type {};
template <class... T>
struct IsVariant<std::variant<T...>> : std::true_type {};
template <class T>
struct IsShared : std::false_type {};
template <class T>
struct IsShared<std::shared_ptr<const T>> : std::true_type {};
template <class T>
concept Matrix = std::derived_from<T, Eigen::MatrixBase<T>>;

/// Names of a variant's alternatives, and of the list in which what is shared lies.
template <class Variant>
inline constexpr auto kinds = nullptr;
template <class T>
inline constexpr const char* shared_list = nullptr;

/// How a T that other parts share is told by Fields, and made of them: value(fields, fault) returns it, or says a fault
/// as a sentence; it may throw Error too.
template <class T>
struct Made;

/// Builds the JSON of one thing after another.
class Writer {
 public:
  template <class T>
  Json json(const T& value) {
    if constexpr (std::is_same_v<T, bool> || std::is_integral_v<T>) {
      return value;
    } else if constexpr (std::is_same_v<T, double>) {
      if (std::isfinite(value)) return value;
      return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    } else if constexpr (std::is_same_v<T, std::string>) {
      return value;
    } else if constexpr (std::is_enum_v<T>) {
      return word(value);
    } else if constexpr (std::is_same_v<T, StepperKind> || std::is_same_v<T, LawKind>) {
      return std::string(value->name);
    } else if constexpr (Matrix<T>) {
      return matrix(value);
    } else if constexpr (std::is_same_v<T, std::vector<double>>) {
      return numbers(value.data(), value.size());
    } else if constexpr (std::is_same_v<T, std::vector<Vec3>>) {
      return numbers(value.empty() ? nullptr : value.front().data(), 3 * value.size());
    } else if constexpr (IsVector<T>::value || IsArray<T>::value) {
      Json list = Json::array();
      for (const auto& item : value) list.push_back(json(item));
      return list;
    } else if constexpr (std::is_same_v<T, std::pair<double, double>> || std::is_same_v<T, std::pair<int, int>>) {
      return Json::array({json(value.first), json(value.second)});
    } else if constexpr (std::is_same_v<T, std::map<std::string, double>>) {
      Json object = Json::object();
      for (const auto& [name, number] : value) object[name] = json(number);
      return object;
    } else if constexpr (IsOptional<T>::value) {
      return value ? json(*value) : Json();
    } else if constexpr (IsVariant<T>::value) {
      static_assert(kinds<T>.size() == std::variant_size_v<T>);
      Json object{{"kind", kinds<T>[value.index()]}};
      std::visit([&](const auto& one) { add_fields(one, object); }, value);
      return object;
    } else if constexpr (IsShared<T>::value) {
      return shared(value);
    } else {
      Json object = Json::object();
      add_fields(value, object);
      return object;
    }
  }

  /// `object` with what its parts share beside them, as text.
  Tree finish(Json object) {
    for (auto& [name, list] : shared_) object[name] = std::move(list);
    try {
      return {object.dump(), std::move(numbers_)};
    } catch (const Json::exception&) {
      throw Error("a name in the model is not UTF-8, as records have it; rename what has it");
    }
  }

 private:
  template <class T>
  void add_fields(const T& value, Json& object) {
    visit_fields(value, [&](const char* name, const auto& field) { object[name] = json(field); });
  }

  Json numbers(const double* data, std::size_t count) {
    if (count > longest_inline) {
      const std::size_t first = numbers_.size();
      numbers_.insert(numbers_.end(), data, data + count);
      return {{"first", first}, {"count", count}};
    }
    Json list = Json::array();
    for (std::size_t i = 0; i < count; ++i) list.push_back(json(data[i]));
    return list;
  }

  template <class M>
  Json matrix(const M& values) {
    Json list = Json::array();
    if constexpr (M::ColsAtCompileTime == Eigen::Dynamic && M::RowsAtCompileTime == 6) {
      for (Eigen::Index k = 0; k < values.cols(); ++k) list.push_back(json(Vec6(values.col(k))));
    } else {
      for (Eigen::Index i = 0; i < values.rows(); ++i) {
        for (Eigen::Index k = 0; k < values.cols(); ++k) list.push_back(json(static_cast<double>(values(i, k))));
      }
    }
    return list;
  }

  template <class T>
  Json shared(const std::shared_ptr<const T>& value) {
    if (!value) return {};
    const auto known = places_.find(value.get());
    if (known != places_.end()) return known->second;
    Json written = json(Made<T>::fields(*value));  // first, as it may share things itself
    Json& list = shared_.try_emplace(shared_list<T>, Json::array()).first->second;
    const std::size_t place = list.size();
    list.push_back(std::move(written));
    places_[value.get()] = place;
    return place;
  }

  std::vector<double> numbers_;
  std::map<std::string, Json> shared_;
  std::map<const void*, std::size_t> places_;
};

/// Reads what a Writer wrote. What does not fit throws Error with the place: "joints[3].type must be …".
class Reader {
 public:
  /// whose: the begin of all sentences, as in "run.h5: the record is damaged: its model's ".
  Reader(const Tree& tree, std::string whose, const Catalogue& catalogue)
      : numbers_(tree.numbers), whose_(std::move(whose)), catalogue_(catalogue) {
    root_ = Json::parse(tree.text, nullptr, false);
    if (root_.is_discarded() || !root_.is_object()) throw Error(whose_ + "text is no JSON object");
  }

  /// The field of the whole.
  template <class T>
  T take(const char* name) {
    T value{};
    const auto found = root_.find(name);
    if (found == root_.end()) fail(std::string(name) + " is missing");
    at(name, [&] { read(*found, value); });
    return value;
  }

  /// Fields of a struct that is the whole.
  template <class T>
  void take_all(T& value) {
    read_fields(root_, value, 0);
  }

  [[noreturn]] void fail(const std::string& what) const { throw Error(whose_ + place_ + what); }

 private:
  template <class Work>
  void at(const std::string& part, Work&& work) {
    const std::size_t before = place_.size();
    place_ += (before == 0 || part.front() == '[' ? "" : ".") + part;
    work();
    place_.resize(before);
  }

  void want(bool fits, const char* what) const {
    if (!fits) fail(std::string(" must be ") + what);
  }

  template <class T>
  void read(const Json& json, T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      want(json.is_boolean(), "true or false");
      value = json.get<bool>();
    } else if constexpr (std::is_integral_v<T>) {
      want(json.is_number_integer(), "a whole number");
      const bool large = json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t{1} << 62;
      want(!large && std::in_range<T>(json.get<std::int64_t>()), "a whole number of its range");
      value = json.get<T>();
    } else if constexpr (std::is_same_v<T, double>) {
      value = number(json);
    } else if constexpr (std::is_same_v<T, std::string>) {
      want(json.is_string(), "a text");
      value = json.get<std::string>();
    } else if constexpr (std::is_enum_v<T>) {
      value = enumerator<T>(json);
    } else if constexpr (std::is_same_v<T, StepperKind>) {
      want(json.is_string(), "the name of a stepper");
      value = catalogue_.stepper(json.get<std::string>());
    } else if constexpr (std::is_same_v<T, LawKind>) {
      want(json.is_string(), "the name of a law");
      value = catalogue_.law(json.get<std::string>());
    } else if constexpr (Matrix<T>) {
      matrix(json, value);
    } else if constexpr (std::is_same_v<T, std::vector<double>>) {
      value = numbers(json);
    } else if constexpr (std::is_same_v<T, std::vector<Vec3>>) {
      const std::vector<double> all = numbers(json);
      want(all.size() % 3 == 0, "numbers of points, three each");
      value.resize(all.size() / 3);
      for (std::size_t i = 0; i < value.size(); ++i) value[i] = {all[3 * i], all[3 * i + 1], all[3 * i + 2]};
    } else if constexpr (IsVector<T>::value) {
      want(json.is_array(), "a list");
      value.clear();
      value.reserve(json.size());
      for (std::size_t i = 0; i < json.size(); ++i) {
        at("[" + std::to_string(i) + "]", [&] { read(json[i], value.emplace_back()); });
      }
    } else if constexpr (IsArray<T>::value) {
      want(json.is_array() && json.size() == value.size(), "a list of its length");
      for (std::size_t i = 0; i < value.size(); ++i) {
        at("[" + std::to_string(i) + "]", [&] { read(json[i], value[i]); });
      }
    } else if constexpr (std::is_same_v<T, std::pair<double, double>> || std::is_same_v<T, std::pair<int, int>>) {
      want(json.is_array() && json.size() == 2, "a list of two");
      read(json[0], value.first);
      read(json[1], value.second);
    } else if constexpr (std::is_same_v<T, std::map<std::string, double>>) {
      want(json.is_object(), "a map of numbers");
      value.clear();
      for (const auto& [name, one] : json.items()) at(name.empty() ? "''" : name, [&] { value[name] = number(one); });
    } else if constexpr (IsOptional<T>::value) {
      value.reset();
      if (!json.is_null()) read(json, value.emplace());
    } else if constexpr (IsVariant<T>::value) {
      read_kind(json, value, std::make_index_sequence<std::variant_size_v<T>>());
    } else if constexpr (IsShared<T>::value) {
      shared(json, value);
    } else {
      want(json.is_object(), "a map");
      read_fields(json, value, 0);
    }
  }

  /// `others`: fields that are read elsewhere.
  template <class T>
  void read_fields(const Json& json, T& value, std::size_t others) {
    std::size_t known = others;
    visit_fields(value, [&](const char* name, auto& field) {
      const auto found = json.find(name);
      if (found == json.end()) fail((place_.empty() ? "" : " ") + std::string("lacks ") + name);
      ++known;
      at(name, [&] { read(*found, field); });
    });
    if (known != json.size()) fail((place_.empty() ? "" : " ") + std::string("has a field that has no meaning there"));
  }

  double number(const Json& json) const {
    if (json.is_string()) {
      const std::string& text = json.get_ref<const std::string&>();
      if (text == "inf") return std::numeric_limits<double>::infinity();
      if (text == "-inf") return -std::numeric_limits<double>::infinity();
      if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    }
    want(json.is_number(), "a number");
    return json.get<double>();
  }

  std::vector<double> numbers(const Json& json) const {
    if (json.is_object()) {
      const auto first = json.find("first"), count = json.find("count");
      const bool whole = first != json.end() && count != json.end() && first->is_number_unsigned() &&
                         count->is_number_unsigned();
      want(whole && first->get<std::uint64_t>() <= numbers_.size() &&
               count->get<std::uint64_t>() <= numbers_.size() - first->get<std::uint64_t>(),
           "numbers that the file holds");
      const auto begin = numbers_.begin() + static_cast<std::ptrdiff_t>(first->get<std::uint64_t>());
      return {begin, begin + static_cast<std::ptrdiff_t>(count->get<std::uint64_t>())};
    }
    want(json.is_array(), "a list of numbers");
    std::vector<double> all;
    all.reserve(json.size());
    for (const Json& one : json) all.push_back(number(one));
    return all;
  }

  template <class E>
  E enumerator(const Json& json) const {
    std::string right;
    for (int i = 0; i < enumerator_count<E>(); ++i) {
      const std::string name = word(static_cast<E>(i));
      if (json.is_string() && json.get_ref<const std::string&>() == name) return static_cast<E>(i);
      right += (i == 0 ? "" : ", ") + name;
    }
    fail(" must be one of " + right);
  }

  template <class M>
  void matrix(const Json& json, M& values) {
    if constexpr (M::ColsAtCompileTime == Eigen::Dynamic && M::RowsAtCompileTime == 6) {
      want(json.is_array(), "a list of lists");
      values.resize(6, static_cast<Eigen::Index>(json.size()));
      for (std::size_t k = 0; k < json.size(); ++k) {
        const std::vector<double> column = numbers(json[k]);
        want(column.size() == 6, "lists of six numbers");
        values.col(static_cast<Eigen::Index>(k)) = Eigen::Map<const Vec6>(column.data());
      }
    } else {
      const std::vector<double> all = numbers(json);
      if constexpr (M::RowsAtCompileTime == Eigen::Dynamic) values.resize(static_cast<Eigen::Index>(all.size()));
      want(static_cast<Eigen::Index>(all.size()) == values.size(), "a list of its length");
      for (Eigen::Index i = 0, k = 0; i < values.rows(); ++i) {
        for (Eigen::Index j = 0; j < values.cols(); ++j, ++k) values(i, j) = all[static_cast<std::size_t>(k)];
      }
    }
  }

  template <class T, std::size_t... i>
  void read_kind(const Json& json, T& value, std::index_sequence<i...>) {
    static_assert(kinds<T>.size() == std::variant_size_v<T>);
    want(json.is_object(), "a map");
    const auto kind = json.find("kind");
    const bool known = kind != json.end() && kind->is_string() &&
                       ((*kind == kinds<T>[i] && (read_fields(json, value.template emplace<i>(), 1), true)) || ...);
    if (known) return;
    std::string right;
    for (const char* name : kinds<T>) right += (right.empty() ? "" : ", ") + std::string(name);
    fail(" must have as kind one of " + right);
  }

  template <class T>
  void shared(const Json& json, std::shared_ptr<const T>& value) {
    value.reset();
    if (json.is_null()) return;
    const auto list = root_.find(shared_list<T>);
    const std::string name = std::string(shared_list<T>);
    const bool there = list != root_.end() && list->is_array() && json.is_number_unsigned() &&
                       json.get<std::uint64_t>() < list->size();
    if (!there) fail(" must be a place in the list " + name);
    const std::size_t place = json.get<std::size_t>();
    const auto known = shared_.find({name, place});
    if (known != shared_.end()) {
      value = std::static_pointer_cast<const T>(known->second);
      return;
    }
    std::string own = name + "[" + std::to_string(place) + "]";
    std::swap(own, place_);
    value = read_shared<T>((*list)[place]);
    std::swap(own, place_);
    shared_[{name, place}] = value;
  }

  template <class T>
  std::shared_ptr<const T> read_shared(const Json& json);

  Json root_;
  const std::vector<double>& numbers_;
  std::string whose_, place_;
  const Catalogue& catalogue_;
  std::map<std::pair<std::string, std::size_t>, std::shared_ptr<const void>> shared_;
};

template <class T>
std::shared_ptr<const T> Reader::read_shared(const Json& json) {
  typename Made<T>::Fields fields{};
  read(json, fields);
  std::string fault;
  try {
    std::shared_ptr<const T> made = Made<T>::value(std::move(fields), fault);
    if (fault.empty()) return made;
  } catch (const Error& error) {
    fault = error.what();
  }
  fail(": " + fault);
}

}  // namespace carom::stored
