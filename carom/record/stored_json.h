#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "carom/error.h"
#include "carom/record/stored_value.h"
#include "carom/record/stored_words.h"

// Values as JSON and back, bit for bit, by the field lists of their structs. Writing and reading alike use
// visit_fields(value, f), which calls f(name, field) for every field.
//
// Numbers have the fewest digits that give the double back. Those that are not finite are "inf", "-inf" or "nan".
// Enumerators, steppers and laws are written as their names. Vectors and matrices are lists, a matrix row by row (of
// twists one list for each). One of several structs has its name under "kind". Lists of more than a few numbers lie in
// a list of doubles beside the text, as {"first": …, "count": …}. An object that several parts share is written once,
// in a list of its own kind, and named by its place there.
namespace carom::stored {

/// Text, and the long lists of numbers that it refers to.
struct Tree {
  std::string text;
  std::vector<double> numbers;
};

constexpr std::size_t longest_inline = 32;

/// A field list is one for writing (of a const part) and for reading. A field that is added to a struct and not to its
/// list does not compile, as the list names all of them.
template <class T, class Part>
concept Same = std::same_as<std::remove_const_t<T>, Part>;

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsArray : std::false_type {};
template <class T, std::size_t n>
struct IsArray<std::array<T, n>> : std::true_type {};
template <class T>
struct IsPair : std::false_type {};
template <class A, class B>
struct IsPair<std::pair<A, B>> : std::true_type {};
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

/// A T that other parts share. It is described by Fields and made from them: value(fields, fault) returns it, or
/// reports a fault as a sentence. It may throw Error too.
template <class T>
struct Made;

/// Builds the JSON of one thing after another.
class Writer {
 public:
  template <class T>
  Value json(const T& value) {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
      return {value};
    } else if constexpr (std::is_integral_v<T>) {
      return {static_cast<std::int64_t>(value)};
    } else if constexpr (std::is_same_v<T, double>) {
      return number(value);
    } else if constexpr (std::is_enum_v<T>) {
      return {word(value)};
    } else if constexpr (std::is_same_v<T, StepperKind> || std::is_same_v<T, LawKind>) {
      return {std::string(value->name)};
    } else if constexpr (Matrix<T>) {
      return matrix(value);
    } else if constexpr (std::is_same_v<T, std::vector<double>>) {
      return numbers(value.data(), value.size());
    } else if constexpr (std::is_same_v<T, std::vector<Vec3>>) {
      return numbers(value.empty() ? nullptr : value.front().data(), 3 * value.size());
    } else if constexpr (IsVector<T>::value || IsArray<T>::value) {
      Value::List list;
      for (const auto& item : value) list.push_back(json(item));
      return {std::move(list)};
    } else if constexpr (IsPair<T>::value) {
      return {Value::List{json(value.first), json(value.second)}};
    } else if constexpr (std::is_same_v<T, std::map<std::string, double>>) {
      Value::Map map;
      for (const auto& [name, each] : value) map.push_back({name, number(each)});
      return {std::move(map)};
    } else if constexpr (IsOptional<T>::value) {
      return value ? json(*value) : Value();
    } else if constexpr (IsVariant<T>::value) {
      static_assert(kinds<T>.size() == std::variant_size_v<T>);
      Value map{Value::Map{{"kind", Value{std::string(kinds<T>[value.index()])}}}};
      std::visit([&](const auto& one) { add_fields(one, map); }, value);
      return map;
    } else if constexpr (IsShared<T>::value) {
      return shared(value);
    } else {
      Value map{Value::Map()};
      add_fields(value, map);
      return map;
    }
  }

  /// The map with what its parts share beside them, as text.
  Tree finish(Value map) {
    for (auto& [name, list] : shared_) map.set(name, Value{std::move(list)});
    return {json_text(map), std::move(numbers_)};
  }

 private:
  template <class T>
  void add_fields(const T& value, Value& map) {
    visit_fields(value, [&](const char* name, const auto& field) { map.set(name, json(field)); });
  }

  static Value number(double value) {
    if (std::isfinite(value)) return {value};
    return {std::string(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf")};
  }

  Value numbers(const double* data, std::size_t count) {
    if (count > longest_inline) {
      const auto first = static_cast<std::int64_t>(numbers_.size());
      numbers_.insert(numbers_.end(), data, data + count);
      return {Value::Map{{"first", Value{first}}, {"count", Value{static_cast<std::int64_t>(count)}}}};
    }
    Value::List list;
    for (std::size_t i = 0; i < count; ++i) list.push_back(number(data[i]));
    return {std::move(list)};
  }

  template <class M>
  Value matrix(const M& values) {
    Value::List list;
    if constexpr (M::ColsAtCompileTime == Eigen::Dynamic && M::RowsAtCompileTime == 6) {
      for (Eigen::Index k = 0; k < values.cols(); ++k) list.push_back(json(Vec6(values.col(k))));
    } else {
      for (Eigen::Index i = 0; i < values.rows(); ++i) {
        for (Eigen::Index k = 0; k < values.cols(); ++k) list.push_back(number(values(i, k)));
      }
    }
    return {std::move(list)};
  }

  template <class T>
  Value shared(const std::shared_ptr<const T>& value) {
    if (!value) return {};
    const auto known = places_.find(value.get());
    if (known != places_.end()) return {known->second};
    Value written = json(Made<T>::fields(*value));  // first, as it may share things itself
    Value::List& list = shared_[shared_list<T>];
    const auto place = static_cast<std::int64_t>(list.size());
    list.push_back(std::move(written));
    places_[value.get()] = place;
    return {place};
  }

  std::vector<double> numbers_;
  std::map<std::string, Value::List> shared_;
  std::map<const void*, std::int64_t> places_;
};

/// Reads what a Writer wrote. Throws Error with the place if something does not fit: "joints[3].type must be …".
class Reader {
 public:
  /// whose: the begin of all sentences, as in "run.h5: the record is damaged: in its model, ".
  Reader(const Tree& tree, std::string whose, const Catalogue& catalogue)
      : root_(json_value(tree.text)), numbers_(tree.numbers), whose_(std::move(whose)), catalogue_(catalogue) {
    if (root_.as<Value::Map>() == nullptr) fail("the text is no JSON object");
  }

  /// The field of the whole.
  template <class T>
  T take(const char* name) {
    T value{};
    const Value* found = root_.find(name);
    if (found == nullptr) fail(std::string(name) + " is missing");
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

  /// The value as one of Value's kinds.
  template <class As>
  const As& as(const Value& json, const char* what) const {
    const As* found = json.as<As>();
    want(found != nullptr, what);
    return *found;
  }

  template <class T>
  void read(const Value& json, T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value = as<bool>(json, "true or false");
    } else if constexpr (std::is_integral_v<T>) {
      const std::int64_t whole = as<std::int64_t>(json, "a whole number");
      want(std::in_range<T>(whole), "a whole number of its range");
      value = static_cast<T>(whole);
    } else if constexpr (std::is_same_v<T, double>) {
      value = number(json);
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = as<std::string>(json, "a text");
    } else if constexpr (std::is_enum_v<T>) {
      value = enumerator<T>(json);
    } else if constexpr (std::is_same_v<T, StepperKind>) {
      value = named([&] { return catalogue_.stepper(as<std::string>(json, "the name of a stepper")); });
    } else if constexpr (std::is_same_v<T, LawKind>) {
      value = named([&] { return catalogue_.law(as<std::string>(json, "the name of a law")); });
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
      const auto& list = as<Value::List>(json, "a list");
      value.clear();
      value.reserve(list.size());
      for (std::size_t i = 0; i < list.size(); ++i) {
        at("[" + std::to_string(i) + "]", [&] { read(list[i], value.emplace_back()); });
      }
    } else if constexpr (IsArray<T>::value) {
      const auto& list = as<Value::List>(json, "a list");
      want(list.size() == value.size(), "a list of its length");
      for (std::size_t i = 0; i < value.size(); ++i) {
        at("[" + std::to_string(i) + "]", [&] { read(list[i], value[i]); });
      }
    } else if constexpr (IsPair<T>::value) {
      const auto& list = as<Value::List>(json, "a list of two");
      want(list.size() == 2, "a list of two");
      read(list[0], value.first);
      read(list[1], value.second);
    } else if constexpr (std::is_same_v<T, std::map<std::string, double>>) {
      value.clear();
      for (const auto& [name, one] : as<Value::Map>(json, "a map of numbers")) value[name] = number(one);
    } else if constexpr (IsOptional<T>::value) {
      value.reset();
      if (json.as<std::monostate>() == nullptr) read(json, value.emplace());
    } else if constexpr (IsVariant<T>::value) {
      read_kind(json, value, std::make_index_sequence<std::variant_size_v<T>>());
    } else if constexpr (IsShared<T>::value) {
      shared(json, value);
    } else {
      read_fields(json, value, 0);
    }
  }

  /// `others`: fields that are read elsewhere.
  template <class T>
  void read_fields(const Value& json, T& value, std::size_t others) {
    const std::string gap = place_.empty() ? "" : " ";
    std::size_t known = others;
    const std::size_t count = as<Value::Map>(json, "a map").size();
    visit_fields(value, [&](const char* name, auto& field) {
      const Value* found = json.find(name);
      if (found == nullptr) fail(gap + "lacks " + name);
      ++known;
      at(name, [&] { read(*found, field); });
    });
    if (known != count) fail(gap + "has a field that has no meaning there");
  }

  /// An entry of the catalogue, or its sentence with the file's name.
  template <class Get>
  auto named(Get&& get) const {
    try {
      return get();
    } catch (const Error& error) {
      fail(": " + std::string(error.what()));
    }
  }

  double number(const Value& json) const {
    if (const auto* text = json.as<std::string>()) {
      if (*text == "inf") return std::numeric_limits<double>::infinity();
      if (*text == "-inf") return -std::numeric_limits<double>::infinity();
      if (*text == "nan") return std::numeric_limits<double>::quiet_NaN();
    }
    if (const auto* whole = json.as<std::int64_t>()) return static_cast<double>(*whole);
    return as<double>(json, "a number");
  }

  std::vector<double> numbers(const Value& json) const {
    if (json.as<Value::Map>() != nullptr) {
      const Value *first = json.find("first"), *count = json.find("count");
      const auto* begin = first != nullptr ? first->as<std::int64_t>() : nullptr;
      const auto* length = count != nullptr ? count->as<std::int64_t>() : nullptr;
      const auto all = static_cast<std::int64_t>(numbers_.size());
      const bool fits = begin != nullptr && length != nullptr && *begin >= 0 && *begin <= all && *length >= 0 &&
                        *length <= all - *begin;
      want(fits, "numbers that the file holds");
      return {numbers_.begin() + *begin, numbers_.begin() + *begin + *length};
    }
    std::vector<double> all;
    for (const Value& one : as<Value::List>(json, "a list of numbers")) all.push_back(number(one));
    return all;
  }

  template <class E>
  E enumerator(const Value& json) const {
    const auto* name = json.as<std::string>();
    std::string right;
    for (int i = 0; i < enumerator_count<E>(); ++i) {
      const std::string known = word(static_cast<E>(i));
      if (name != nullptr && *name == known) return static_cast<E>(i);
      right += (i == 0 ? "" : ", ") + known;
    }
    fail(" must be one of " + right);
  }

  template <class M>
  void matrix(const Value& json, M& values) const {
    if constexpr (M::ColsAtCompileTime == Eigen::Dynamic && M::RowsAtCompileTime == 6) {
      const auto& list = as<Value::List>(json, "a list of lists");
      values.resize(6, static_cast<Eigen::Index>(list.size()));
      for (std::size_t k = 0; k < list.size(); ++k) {
        const std::vector<double> column = numbers(list[k]);
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
  void read_kind(const Value& json, T& value, std::index_sequence<i...>) {
    static_assert(kinds<T>.size() == std::variant_size_v<T>);
    const Value* kind = json.find("kind");
    const auto* name = kind != nullptr ? kind->as<std::string>() : nullptr;
    const auto is = [&]<std::size_t k>(std::integral_constant<std::size_t, k>) {
      if (name == nullptr || *name != kinds<T>[k]) return false;
      read_fields(json, value.template emplace<k>(), 1);
      return true;
    };
    if ((is(std::integral_constant<std::size_t, i>()) || ...)) return;
    std::string right;
    for (const char* known : kinds<T>) right += (right.empty() ? "" : ", ") + std::string(known);
    fail(" must have as kind one of " + right);
  }

  template <class T>
  void shared(const Value& json, std::shared_ptr<const T>& value) {
    value.reset();
    if (json.as<std::monostate>() != nullptr) return;
    const std::string name = shared_list<T>;
    const Value* there = root_.find(name);
    const auto* list = there != nullptr ? there->as<Value::List>() : nullptr;
    const auto* number = json.as<std::int64_t>();
    const bool fits = list != nullptr && number != nullptr && *number >= 0 && std::cmp_less(*number, list->size());
    if (!fits) fail(" must be a place in the list " + name);
    const auto place = static_cast<std::size_t>(*number);
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
  std::shared_ptr<const T> read_shared(const Value& json) {
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

  Value root_;
  const std::vector<double>& numbers_;
  std::string whose_, place_;
  const Catalogue& catalogue_;
  std::map<std::pair<std::string, std::size_t>, std::shared_ptr<const void>> shared_;
};

}  // namespace carom::stored
