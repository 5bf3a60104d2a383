#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace carom::stored {

/// A JSON value: what a text of a record holds. Maps keep their order.
struct Value {
  using List = std::vector<Value>;
  struct Entry;
  using Map = std::vector<Entry>;
  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Map> data;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&data);
  }
  /// The value of this name in a map; null if it is no map, or has none.
  const Value* find(const std::string& name) const;
  /// Adds to a map.
  void set(const std::string& name, Value value);
  bool operator==(const Value& other) const;
};

struct Value::Entry {
  std::string name;
  Value value;
  bool operator==(const Entry&) const = default;
};

inline void Value::set(const std::string& name, Value value) {
  std::get<Map>(data).push_back({name, std::move(value)});
}
inline bool Value::operator==(const Value& other) const { return data == other.data; }

/// As JSON, numbers with as many digits as give the double back. Throws Error if a text in it is not UTF-8.
std::string json_text(const Value& value);
/// The value of a JSON text; null if it is none, or is nested more deeply than anything that is written.
Value json_value(const std::string& text);

}  // namespace carom::stored
