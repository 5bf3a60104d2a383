#include "carom/study/sweep_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "carom/output_error.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::array<int, 5> faults{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// All that a signal handler may touch: the journal's file, and the line of the case that this thread is in.
volatile std::sig_atomic_t fault_file = -1;
thread_local std::array<char, 64> fault_line{};

void tell_fault(int signal) {
  std::signal(signal, SIG_DFL);
  if (fault_file >= 0 && fault_line[0] != '\0') {
    // Nothing can be done where even this fails.
    if (::write(fault_file, fault_line.data(), std::strlen(fault_line.data())) < 0) std::signal(signal, SIG_DFL);
  }
  std::raise(signal);
}

}  // namespace

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
  for (std::string line; std::getline(stream, line);) {
    const Json entry = Json::parse(line, nullptr, false);
    const auto is = [&entry](const char* name, auto&& kind) { return !entry.contains(name) || kind(entry[name]); };
    if (!entry.is_object() || !is("status", [](const Json& e) { return e.is_string(); }) ||
        !is("reason", [](const Json& e) { return e.is_string(); }) ||
        !is("ok", [](const Json& e) { return e.is_boolean(); })) {
      continue;
    }
    if (!entry.is_object() || !entry.contains("key") || !entry["key"].is_string()) continue;
    SweepRow row;
    if (entry.contains("crashed")) {
      row.status = "crashed";
      row.reason = "the program died in this case";
    } else {
      if (!entry.contains("numbers") || !entry["numbers"].is_array()) continue;
      row.status = entry.value("status", "");
      row.reason = entry.value("reason", "");
      row.ok = entry.value("ok", false);
      for (const Json& number : entry["numbers"]) {
        row.numbers.push_back(number.is_string() ? std::strtod(number.get<std::string>().c_str(), nullptr) : NAN);
      }
    }
    rows_[entry["key"].get<std::string>()] = std::move(row);
  }
}

const SweepRow* SweepJournal::find(const std::string& key) const {
  const auto found = rows_.find(key);
  return found == rows_.end() ? nullptr : &found->second;
}

void SweepJournal::add(const std::string& key, const SweepRow& row) {
  Json numbers = Json::array();
  for (const double number : row.numbers) numbers.push_back(fmt::format("{:a}", number));
  const Json entry{{"key", key}, {"status", row.status}, {"reason", row.reason}, {"ok", row.ok}, {"numbers", numbers}};
  const std::string line = entry.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const std::lock_guard<std::mutex> lock(adding_);
  errno = 0;
  const auto written = ::write(file_, line.data(), line.size());
  if (written != static_cast<ssize_t>(line.size())) {
    throw OutputError(path_ + ": the journal can't be written on",
                      errno != 0 ? std::strerror(errno) : "the disk took a part of a line");
  }
  rows_[key] = row;
}

SweepJournal::OnItsWay::OnItsWay(const SweepJournal& journal, const std::string& key) {
  const std::string line = "{\"key\":\"" + key + "\",\"crashed\":true}\n";
  std::strncpy(fault_line.data(), line.c_str(), fault_line.size() - 1);
  if (fault_file != journal.file_) {
    fault_file = journal.file_;
    for (const int fault : faults) std::signal(fault, tell_fault);
  }
}

SweepJournal::OnItsWay::~OnItsWay() { fault_line[0] = '\0'; }

}  // namespace carom
