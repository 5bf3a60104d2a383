#include "carom/record/stored_value.h"

#include <nlohmann/json.hpp>

#include "carom/error.h"

namespace carom::stored {
namespace {

using Json = nlohmann::ordered_json;
constexpr int deepest = 40;

Json json_of(const Value& value) {
  struct Visitor {
    Json operator()(std::monostate) const { return {}; }
    Json operator()(bool flag) const { return flag; }
    Json operator()(std::int64_t number) const { return number; }
    Json operator()(double number) const { return number; }
    Json operator()(const std::string& text) const { return text; }
    Json operator()(const Value::List& list) const {
      Json all = Json::array();
      for (const Value& each : list) all.push_back(json_of(each));
      return all;
    }
    Json operator()(const Value::Map& map) const {
      Json all = Json::object();
      for (const auto& [name, each] : map) all[name] = json_of(each);
      return all;
    }
  };
  return std::visit(Visitor(), value.data);
}

bool exceeds_int64(const Json& number) {
  return number.is_number_unsigned() && number.get<std::uint64_t>() > std::uint64_t{1} << 62;
}

/// False if it is nested too deeply.
bool read(const Json& json, int depth, Value& value) {
  if (depth > deepest) return false;
  if (json.is_boolean()) {
    value.data = json.get<bool>();
  } else if (json.is_number_integer() && !exceeds_int64(json)) {
    value.data = json.get<std::int64_t>();
  } else if (json.is_number()) {
    value.data = json.get<double>();
  } else if (json.is_string()) {
    value.data = json.get<std::string>();
  } else if (json.is_array()) {
    Value::List list(json.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!read(json[i], depth + 1, list[i])) return false;
    }
    value.data = std::move(list);
  } else if (json.is_object()) {
    Value::Map map;
    for (const auto& [name, each] : json.items()) {
      map.push_back({name, Value()});
      if (!read(each, depth + 1, map.back().value)) return false;
    }
    value.data = std::move(map);
  }
  return true;
}

}  // namespace

const Value* Value::find(const std::string& name) const {
  const Map* map = as<Map>();
  if (map == nullptr) return nullptr;
  for (const auto& [own, value] : *map) {
    if (own == name) return &value;
  }
  return nullptr;
}

std::string json_text(const Value& value) {
  try {
    return json_of(value).dump();
  } catch (const Json::exception&) {
    throw Error("a name in the model is not UTF-8, as records have it; rename what has it");
  }
}

Value json_value(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  Value value;
  if (json.is_discarded() || !read(json, 0, value)) return {};
  return value;
}

}  // namespace carom::stored
