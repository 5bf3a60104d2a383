#include "carom/study/sweep.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <limits>
#include <set>

#include "carom/error.h"
#include "carom/record/output_formulas.h"
#include "carom/stop_signal.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

/// The journals of other parts, in the order of their names, and the one that is written to.
std::vector<std::string> journals(const std::string& path, const std::string& own) {
  std::vector<std::string> files;
  const fs::path whole(path);
  const std::string start = whole.filename().string();
  std::error_code ignored;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(whole.has_parent_path() ? whole.parent_path() : ".", ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_one = name == start || name.starts_with(start + ".part-");
    std::error_code failed;
    if (is_one && !fs::equivalent(entry.path(), own, failed)) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  files.push_back(own);
  return files;
}

/// A table with two columns of one name would be read wrongly.
void check_names(const SweepResult& result) {
  std::set<std::string> names{"case", "method", "status", "ok", "reason"};
  for (const std::vector<std::string>& some : {result.varied, result.columns}) {
    for (const std::string& name : some) {
      if (names.insert(name).second) continue;
      throw Error("the table has a column '" + name + "' already; give what is varied, or the output, another name");
    }
  }
}

struct Work {
  const SweepStudy& study;
  const SweepOptions& options;
  const SweepCases& cases;
  const std::vector<std::string>& outputs;
  SweepJournal& journal;

  std::string record_of(const SweepCase& sweep_case) const {
    return (fs::path(options.records) / fmt::format("case-{}.h5", sweep_case.number)).string();
  }

  void run(const SweepCase& sweep_case, const std::string& key) const {
    const SweepJournal::OnItsWay on_its_way(journal, key);
    const bool all = study.keep == KeptRecords::all;
    const SweepRow row = run_case(cases, sweep_case, study, outputs, all ? record_of(sweep_case) : "", options.stop);
    // A run is its scene's alone, so the same run again is the one that needs a look.
    if (study.keep == KeptRecords::not_ok && !row.ok && row.status != "refused") {
      run_case(cases, sweep_case, study, outputs, record_of(sweep_case), options.stop);
    }
    journal.add(key, row);
  }
};

}  // namespace

SweepResult sweep(const SweepStudy& study, const SweepOptions& options) {
  const SweepCases cases(study, read_scene_text(study.scene));
  SweepResult result;
  result.varied = cases.names();
  result.outputs = OutputFormulas(cases.first_sound_scene()).names();
  result.columns = sweep_columns(result.outputs);
  check_names(result);
  result.count = cases.count();
  if (study.keep != KeptRecords::none) fs::create_directories(options.records);

  const std::string own =
      options.parts > 1 ? options.journal + ".part-" + std::to_string(options.part) : options.journal;
  SweepJournal journal(journals(options.journal, own));
  std::vector<std::int64_t> wanted;
  std::vector<std::string> keys(static_cast<std::size_t>(cases.count()));
  for (std::int64_t number = 0; number < cases.count(); ++number) {
    std::string& key = keys[static_cast<std::size_t>(number)];
    key = cases.key(cases.at(number));
    if (journal.find(key) != nullptr) {
      ++result.earlier;
    } else if (number % options.parts == options.part) {
      wanted.push_back(number);
    }
  }

  const Work work{study, options, cases, result.outputs, journal};
  std::atomic<std::int64_t> done = 0;
  std::mutex telling;
  tbb::task_arena arena(options.threads > 0 ? options.threads : tbb::task_arena::automatic);
  const auto take = [&](std::size_t i) {
    if (options.stop && options.stop()) return;
    const SweepCase sweep_case = cases.at(wanted[i]);
    try {
      // A case that works on several threads ends before its thread takes up another case.
      tbb::this_task_arena::isolate([&] { work.run(sweep_case, keys[static_cast<std::size_t>(wanted[i])]); });
    } catch (const Stopped&) {
      return;
    }
    if (!options.progress) return;
    const std::lock_guard<std::mutex> lock(telling);
    options.progress(static_cast<double>(++done) / static_cast<double>(wanted.size()));
  };
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, wanted.size(), take, tbb::simple_partitioner()); });

  for (std::int64_t number = 0; number < cases.count(); ++number) {
    const SweepRow* row = journal.find(keys[static_cast<std::size_t>(number)]);
    if (row == nullptr) continue;
    result.cases.push_back(cases.at(number));
    result.rows.push_back(*row);
    result.rows.back().numbers.resize(result.columns.size(), std::numeric_limits<double>::quiet_NaN());
  }
  return result;
}

int supervised(const std::function<int()>& work, const std::function<bool()>& again) {
  static volatile std::sig_atomic_t child = 0;
  std::signal(SIGCHLD, SIG_DFL);  // whoever started the program may have ignored it, and then no child is waited for
  sigset_t ends, before;
  ::sigemptyset(&ends);
  ::sigaddset(&ends, SIGTERM);
  ::sigaddset(&ends, SIGINT);
  for (;;) {
    // A signal that comes before it can be passed on waits until it can.
    ::pthread_sigmask(SIG_BLOCK, &ends, &before);
    const pid_t pid = ::fork();
    if (pid < 0) {
      ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
      throw Error("no process can be started for the sweep");
    }
    child = pid;
    if (pid == 0) {
      ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // two programs would otherwise write one journal when the next one goes on
      return work();
    }
    // A terminal sends its signals to the child as well.
    struct sigaction pass_on {};
    pass_on.sa_flags = SA_SIGINFO;
    pass_on.sa_sigaction = [](int signal, siginfo_t* from, void*) {
      if (from->si_code <= 0) ::kill(child, signal);
    };
    ::sigaction(SIGTERM, &pass_on, nullptr);
    ::sigaction(SIGINT, &pass_on, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0) {
      if (errno != EINTR) throw Error("the process that does the sweep was lost");
    }
    std::signal(SIGTERM, SIG_DFL);
    std::signal(SIGINT, SIG_DFL);
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    constexpr std::array<int, 5> faults{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    const int signal = WTERMSIG(status);
    const bool is_fault = std::find(faults.begin(), faults.end(), signal) != faults.end();
    if (!is_fault || !again()) return 128 + signal;
  }
}

}  // namespace carom
