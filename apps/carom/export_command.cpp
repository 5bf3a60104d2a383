#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "carom/error.h"
#include "carom/record/column_text.h"
#include "carom/record/gltf.h"
#include "carom/record/record_columns.h"
#include "carom/whole_file.h"
#include "commands.h"
#include "output_file.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

void print_list(const std::vector<RecordColumn>& columns) {
  std::size_t widest = 0;
  for (const RecordColumn& column : columns) widest = std::max(widest, column.name.size());
  for (const RecordColumn& column : columns) {
    fmt::print("{:<{}}  {:<9} {}\n", column.name, widest, column.unit, column.meaning);
  }
}

void print_json(const std::vector<RecordColumn>& columns, const ExportOptions& options) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const RecordColumn& column : columns) {
    list.push_back({{"name", column.name}, {"unit", column.unit}, {"meaning", column.meaning}});
  }
  nlohmann::ordered_json object{{"record", options.record}, {"columns", std::move(list)}};
  const auto file = [](const std::string& path) {
    return path.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(path);
  };
  object["csv"] = file(options.csv);
  object["sto"] = file(options.sto);
  object["gltf"] = file(options.gltf);
  fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

/// Refuses the record itself and other things' names before anything is read.
void check_place(const std::string& path, const std::string& record, const std::vector<std::string>& endings) {
  if (path.empty()) return;
  std::error_code ignored;
  if (fs::equivalent(path, record, ignored)) throw Error(path + " is the record itself; name another file");
  const std::string ending = fs::path(path).extension().string();
  for (const std::string& known : endings) {
    if (ending == known) return;
  }
  throw Error(path + ": the file's name must end in " + endings.front() +
              (endings.size() > 1 ? " or " + endings.back() : ""));
}

}  // namespace

int export_command(const ExportOptions& options) {
  std::error_code ignored;
  if (!fs::is_regular_file(options.record, ignored)) throw Error(options.record + ": there is no such record");
  check_place(options.csv, options.record, {".csv"});
  check_place(options.sto, options.record, {".sto", ".mot"});
  check_place(options.gltf, options.record, {".gltf", ".glb"});
  const bool table = !(options.csv.empty() && options.sto.empty());
  if (!table && options.gltf.empty() && !options.list) {
    throw Error("say what to write: --csv FILE, --sto FILE, --gltf FILE, or --list for the names of the columns");
  }
  if (!table && !options.list && !options.columns.empty()) {
    throw Error("--column chooses what goes into a table; a glTF file holds shapes and poses");
  }
  const std::vector<RecordColumn> columns = table || !options.columns.empty()
                                                ? read_record_columns(options.record, options.columns)
                                                : list_record_columns(options.record);
  const auto write = [&](const std::string& path, const auto& text, const char* what) {
    if (path.empty()) return;
    make_folder_of(path);
    write_whole_file(path, text(), what);
  };
  write(
      options.csv, [&] { return csv_text(columns); }, "the table");
  write(
      options.sto, [&] { return sto_text(columns, fs::path(options.record).stem().string()); }, "the storage file");
  const bool binary = fs::path(options.gltf).extension() == ".glb";
  write(
      options.gltf, [&] { return (binary ? gltf_binary : gltf_text)(read_record(options.record)); }, "the glTF file");
  if (options.json) print_json(columns, options);
  if (options.list && !options.json) print_list(columns);
  return 0;
}

}  // namespace carom
