#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "carom/error.h"
#include "carom/record/column_text.h"
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
  object["csv"] = options.csv.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(options.csv);
  object["sto"] = options.sto.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(options.sto);
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
  if (options.csv.empty() && options.sto.empty() && !options.list) {
    throw Error("say what to write: --csv FILE, --sto FILE, or --list for the names of the columns");
  }
  if (options.csv.empty() && options.sto.empty()) {
    const std::vector<RecordColumn> columns = list_record_columns(options.record);
    options.json ? print_json(columns, options) : print_list(columns);
    return 0;
  }
  const std::vector<RecordColumn> columns = read_record_columns(options.record, options.columns);
  const auto write = [&](const std::string& path, const std::string& text, const char* what) {
    if (path.empty()) return;
    make_folder_of(path);
    write_whole_file(path, text, what);
  };
  write(options.csv, csv_text(columns), "the table");
  write(options.sto, sto_text(columns, fs::path(options.record).stem().string()), "the storage file");
  if (options.json) print_json(columns, options);
  if (options.list && !options.json) print_list(columns);
  return 0;
}

}  // namespace carom
