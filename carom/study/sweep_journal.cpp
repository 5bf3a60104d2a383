#include "carom/study/sweep_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "carom/output_error.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::array<int, 5> faults{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// A case in progress: its journal, and how its key is written there.
struct OnTheWay {
  std::atomic<bool> taken = false;
  std::atomic<int> file = -1;  ///< −1: nothing to write yet
  std::array<char, 40> key{};
};

// The data that a signal handler may touch.
std::array<OnTheWay, 256> on_the_way;  // a thread beyond these has none; its fault counts for all of them
thread_local OnTheWay* own = nullptr;
std::array<struct sigaction, faults.size()> before;

// The handler must not touch these.
std::mutex watching;
int watches = 0;

void write_fault(const OnTheWay& one, const char* what) {
  std::array<char, 96> line{};
  const std::array<const char*, 4> parts{"{\"key\":\"", one.key.data(), what, "\":true}\n"};
  std::size_t size = 0;
  for (const char* part : parts) {
    while (*part != '\0' && size < line.size()) line[size++] = *part++;
  }
  // Nothing can be done where even this fails.
  if (::write(one.file, line.data(), size) < 0) return;
}

void tell_fault(int signal) {
  const auto is_there = [](const OnTheWay& one) { return one.taken && one.file >= 0; };
  if (own != nullptr) {
    if (is_there(*own)) write_fault(*own, "\",\"crashed");
  } else {
    // A thread that helps with a case does not know which.
    const auto count = std::count_if(on_the_way.begin(), on_the_way.end(), is_there);
    for (const OnTheWay& one : on_the_way) {
      if (is_there(one)) write_fault(one, count == 1 ? "\",\"crashed" : "\",\"suspected");
    }
  }
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (faults[i] == signal) ::sigaction(signal, &before[i], nullptr);
  }
  std::raise(signal);
}

/// A line of a journal; no row: the case is suspected.
struct Entry {
  std::string key;
  std::optional<SweepRow> row;
};

/// Nothing for a line that was cut off.
std::optional<Entry> entry_of(const std::string& line) {
  const Json entry = Json::parse(line, nullptr, false);
  const auto is = [&entry](const char* name, auto&& kind) { return !entry.contains(name) || kind(entry[name]); };
  if (!entry.is_object() || !is("status", [](const Json& e) { return e.is_string(); }) ||
      !is("reason", [](const Json& e) { return e.is_string(); }) ||
      !is("ok", [](const Json& e) { return e.is_boolean(); }) || !entry.contains("key") || !entry["key"].is_string()) {
    return {};
  }
  Entry told{entry["key"].get<std::string>(), {}};
  if (entry.contains("suspected")) return told;
  SweepRow& row = told.row.emplace();
  if (entry.contains("crashed")) {
    row.status = "crashed";
    row.reason = "the program died in this case";
    return told;
  }
  if (!entry.contains("numbers") || !entry["numbers"].is_array()) return {};
  row.status = entry.value("status", "");
  row.reason = entry.value("reason", "");
  row.ok = entry.value("ok", false);
  for (const Json& number : entry["numbers"]) {
    row.numbers.push_back(number.is_string() ? std::strtod(number.get<std::string>().c_str(), nullptr) : NAN);
  }
  return told;
}

}  // namespace

std::vector<std::string> journal_files(const std::string& path, const std::string& own_file) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  const fs::path whole(path);
  const std::string start = whole.filename().string();
  std::error_code ignored;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(whole.has_parent_path() ? whole.parent_path() : ".", ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_one = name == start || name.starts_with(start + ".part-");
    std::error_code failed;
    if (is_one && !fs::equivalent(entry.path(), own_file, failed)) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  files.push_back(own_file);
  return files;
}

SweepJournal::SweepJournal(const std::vector<std::string>& files) : path_(files.back()) {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) throw Error(path_ + ": the journal can't be written here: " + std::strerror(errno));
  // Two programs would do each case twice. The lock goes with the file, also where the program is killed. Some network
  // file systems have no locks.
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(file_);
    throw Error(path_ + ": another sweep is writing this journal; wait for its end, or give this one another --out");
  }
  for (const std::string& file : files) read(file);
  // A line that was cut off stays alone.
  const off_t size = ::lseek(file_, 0, SEEK_END);
  if (size > 0) {
    std::ifstream stream(path_, std::ios::binary);
    stream.seekg(size - 1);
    if (stream.get() != '\n' && ::write(file_, "\n", 1) != 1) {
      throw OutputError(path_ + ": the journal can't be written", std::strerror(errno));
    }
  }
}

SweepJournal::~SweepJournal() {
  if (file_ >= 0) ::close(file_);
}

void SweepJournal::read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  for (std::string text; std::getline(stream, text);) {
    const std::optional<Entry> entry = entry_of(text);
    if (!entry) continue;
    if (entry->row) rows_[entry->key] = *entry->row;
    if (!entry->row) suspects_.insert(entry->key);
  }
  for (const auto& [key, row] : rows_) suspects_.erase(key);
}

const SweepRow* SweepJournal::find(const std::string& key) const {
  const auto found = rows_.find(key);
  return found == rows_.end() ? nullptr : &found->second;
}

std::string SweepJournal::line(const std::string& key, const SweepRow& row) {
  Json numbers = Json::array();
  for (const double number : row.numbers) numbers.push_back(fmt::format("{:a}", number));
  const Json entry{{"key", key}, {"status", row.status}, {"reason", row.reason}, {"ok", row.ok}, {"numbers", numbers}};
  return entry.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void SweepJournal::add(const std::string& key, const SweepRow& row) {
  const std::string text = line(key, row);
  const std::lock_guard<std::mutex> lock(adding_);
  write(text);
  rows_[key] = row;
}

void SweepJournal::add_line(const std::string& text) {
  const std::optional<Entry> entry = entry_of(text);
  if (!entry || !entry->row) throw Error(path_ + ": this is no line of a journal: " + text);
  const std::lock_guard<std::mutex> lock(adding_);
  write(text);
  rows_[entry->key] = *entry->row;
}

void SweepJournal::write(const std::string& text) {
  const std::string whole = text + "\n";
  errno = 0;
  const auto written = ::write(file_, whole.data(), whole.size());
  if (written != static_cast<ssize_t>(whole.size())) {
    throw OutputError(path_ + ": the journal can't be written on",
                      errno != 0 ? std::strerror(errno) : "the disk took a part of a line");
  }
}

SweepJournal::FaultWatch::FaultWatch() {
  const std::lock_guard<std::mutex> lock(watching);
  if (watches++ > 0) return;
  struct sigaction tell {};
  tell.sa_handler = tell_fault;
  tell.sa_flags = SA_ONSTACK | SA_NODEFER;  // a stack that has run out can still be told, where there is another
  for (std::size_t i = 0; i < faults.size(); ++i) ::sigaction(faults[i], &tell, &before[i]);
}

SweepJournal::FaultWatch::~FaultWatch() {
  const std::lock_guard<std::mutex> lock(watching);
  if (--watches > 0) return;
  for (std::size_t i = 0; i < faults.size(); ++i) ::sigaction(faults[i], &before[i], nullptr);
}

SweepJournal::OnItsWay::OnItsWay(const SweepJournal& journal, const std::string& key) {
  for (OnTheWay& one : on_the_way) {
    bool free = false;
    if (!one.taken.compare_exchange_strong(free, true)) continue;
    one.key.fill('\0');
    std::strncpy(one.key.data(), key.c_str(), one.key.size() - 1);
    one.file = journal.file_;
    own = &one;
    return;
  }
}

SweepJournal::OnItsWay::~OnItsWay() {
  if (own == nullptr) return;
  own->file = -1;
  own->taken = false;
  own = nullptr;
}

}  // namespace carom
