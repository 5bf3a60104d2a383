#include "carom/study/sweep.h"

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

#include "carom/error.h"
#include "carom/stop_signal.h"
#include "carom/study/thread_count.h"

namespace carom {
SweepResult sweep(const SweepStudy& study, const SweepOptions& options) {
  const SweepWork work(study, options.records);
  const std::string own =
      options.parts > 1 ? options.journal + ".part-" + std::to_string(options.part) : options.journal;
  SweepJournal journal(journal_files(options.journal, own));
  const std::int64_t count = work.cases().count();
  std::int64_t earlier = 0;
  std::vector<std::int64_t> suspects, wanted;
  std::vector<std::string> keys(static_cast<std::size_t>(count));
  for (std::int64_t number = 0; number < count; ++number) {
    std::string& key = keys[static_cast<std::size_t>(number)];
    key = work.key(number);
    if (journal.find(key) != nullptr) {
      ++earlier;
    } else if (number % options.parts == options.part) {
      (journal.is_suspect(key) ? suspects : wanted).push_back(number);
    }
  }

  const SweepJournal::FaultWatch watch;
  std::atomic<std::int64_t> done = 0;
  const double all = static_cast<double>(suspects.size() + wanted.size());
  std::mutex telling;
  tbb::task_arena arena(thread_count(options.threads));
  const auto take = [&](std::int64_t number) {
    if (options.stop && options.stop()) return;
    const std::string& key = keys[static_cast<std::size_t>(number)];
    try {
      // A case that works on several threads ends before its thread takes up another case.
      tbb::this_task_arena::isolate([&] {
        const SweepJournal::OnItsWay on_its_way(journal, key);
        journal.add(key, work.run(number, options.stop));
      });
    } catch (const Stopped&) {
      return;
    }
    if (!options.progress) return;
    const std::lock_guard<std::mutex> lock(telling);
    options.progress(static_cast<double>(++done) / all);
  };
  arena.execute([&] {
    for (const std::int64_t number : suspects) take(number);  // alone, so that a fault is attributed to it
    tbb::parallel_for(
        std::size_t{0}, wanted.size(), [&](std::size_t i) { take(wanted[i]); }, tbb::simple_partitioner());
  });
  SweepResult result = work.gathered(journal, keys);
  result.earlier = earlier;
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
