#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <sstream>
#include <thread>

#include "carom/record/record.h"
#include "carom/record/test/random_run.h"
#include "carom/record/test/same_record.h"
#include "carom/record/test/test_folder.h"
#include "testing/folders.h"

// Kills programs that write records, and looks at what they left.
namespace carom::kill_test {
namespace {

using test::RandomRun;
using test::same_bits;
using test::scene_text;

constexpr std::uint64_t seed = 11;

bool long_tests() { return std::getenv("CAROM_LONG") != nullptr; }

/// Progress that a child tells, in memory that outlives it.
struct Progress {
  std::atomic<std::int64_t> flushed;   ///< the last step that a finished flush covers, −1 before the first
  std::atomic<std::int64_t> appended;  ///< the last step handed over
};

class KillTest : public test::FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    void* shared = ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    progress_ = new (shared) Progress();
  }
  void TearDown() override {
    ::munmap(progress_, sizeof(Progress));
    FolderTest::TearDown();
  }

  /// Writes `steps` steps with a flush every `flush_every`, after those that are there already if `resume`.
  void write(const std::string& file, const Scene& scene, bool resume, std::int64_t steps, std::int64_t flush_every) {
    std::int64_t from = 0;
    if (resume) from = read_record(file).frames.back().state.step;
    RecordWriter writer = resume ? RecordWriter::resume(file, scene) : RecordWriter::create(file, scene);
    progress_->flushed = from;
    const RandomRun run(*scene.model, seed);
    State state;
    StepReport report;
    for (std::int64_t step = from + 1; step <= steps; ++step) {
      run.step(step, state, report);
      progress_->appended = step;
      writer.append(state, report);
      if (step % flush_every != 0) continue;
      writer.flush();
      progress_->flushed = step;
    }
    writer.finish("done", 0);
    progress_->flushed = steps;
  }

  /// A child process that does `work` and no more.
  template <class Work>
  ::pid_t start(Work&& work) {
    progress_->flushed = -1;
    progress_->appended = 0;
    const ::pid_t child = ::fork();
    if (child == 0) {
      work();
      ::_exit(0);
    }
    return child;
  }

  void await_first_flush() const {
    for (int i = 0; i < 10000 && progress_->flushed < 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  /// Checks the record that a killed child left. Returns the number of its last step, −1 if there may be none yet.
  std::int64_t inspect(const std::string& file, const Scene& scene) {
    const std::int64_t flushed = progress_->flushed, appended = progress_->appended;
    if (flushed < 0 && !std::filesystem::exists(file)) return -1;
    const Record record = read_record(file);
    const std::int64_t last = record.frames.back().state.step;
    EXPECT_GE(last, flushed) << "a flush that had returned is lost";
    EXPECT_LE(last, appended);
    RunCertificate certificate;
    State state;
    StepReport report;
    std::size_t frame = 1;
    std::size_t events = 0;
    for (std::int64_t step = 1; step <= last; ++step) {
      RandomRun(*scene.model, seed).step(step, state, report);
      certificate.add(report);
      events += report.events.size();
      if (step % scene.record.every != 0 && step != last) continue;
      EXPECT_TRUE(identical(record.frames.at(frame).state, state)) << step;
      EXPECT_TRUE(same_bits(record.frames.at(frame).contacts, report.contacts)) << step;
      ++frame;
    }
    EXPECT_EQ(record.frames.size(), frame);
    EXPECT_EQ(record.events.size(), events);
    if (last > 0) {
      EXPECT_TRUE(same_bits(record.certificate, certificate));
    }
    return last;
  }

  Progress* progress_ = nullptr;
};

/// Runs `command` and returns its standard output; `status` as of wait().
std::string output_of(const std::string& command, int& status) {
  std::string output;
  FILE* pipe = ::popen(command.c_str(), "r");
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, n);
  status = ::pclose(pipe);
  return output;
}

TEST_F(KillTest, AtRandomInstantsTheFileHoldsAllUpToTheLastFlush) {
  std::mt19937 random(2);
  std::vector<std::string> files;
  std::vector<std::int64_t> lasts;
  int killed_midway = 0;
  const int kills = long_tests() ? 1000 : 40;
  // Slow builds take longer to get to work: they are given more children, and longer lives, until enough died at it.
  for (int i = 0; i < kills || (killed_midway <= kills / 4 && i < 10 * kills); ++i) {
    const Scene scene = parse_scene(scene_text(1 + 2 * (i % 3)), "two.yaml");
    const std::string file = path("run" + std::to_string(i) + ".h5");
    // Every third child flushes after each step, so that most of its time is spent in the midst of one.
    const std::int64_t flush_every = i % 3 == 0 ? 1 : 1 + static_cast<std::int64_t>(random() % 40);
    const ::pid_t child = start([&] { write(file, scene, false, 1'000'000, flush_every); });
    if (i % 4 != 0) await_first_flush();
    std::this_thread::sleep_for(std::chrono::microseconds(random() % (20000 * (1 + i / kills))));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself";
    const std::int64_t last = inspect(file, scene);
    ASSERT_FALSE(HasFailure()) << "kill " << i;
    if (last < 0) continue;
    killed_midway += last > 0;
    files.push_back(file);
    lasts.push_back(last);
  }
  EXPECT_GT(killed_midway, kills / 4) << "too few children were killed in the midst of their work";

  std::string command = "/usr/bin/python3 " + source_folder() + "/carom/record/test/read_with_h5py.py";
  for (const std::string& file : files) command += " " + file;
  int status = 0;
  std::istringstream output(output_of(command, status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "h5py is not installed: only Carom's own reader was tried";
  ASSERT_EQ(status, 0);
  for (std::int64_t last : lasts) {
    std::int64_t frames = 0, step = -1;
    output >> frames >> step;
    EXPECT_EQ(step, last);
  }
}

TEST_F(KillTest, ARunThatIsKilledAndResumedOverAndOverIsTheSameInTheEnd) {
  const Scene scene = parse_scene(scene_text(3), "two.yaml");
  const auto start_of_whole = std::chrono::steady_clock::now();
  write(path("whole.h5"), scene, false, 400, 1000);
  // A run is cut into a handful of lives, however slow the build.
  const auto whole =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start_of_whole);
  const long longest_life = std::max(60000L, static_cast<long>(whole.count()) / 2);
  std::mt19937 random(3);
  int kills = 0;
  for (bool done = false; !done;) {
    const bool resume = std::filesystem::exists(path("run.h5"));
    const ::pid_t child = start([&] { write(path("run.h5"), scene, resume, 400, 7); });
    await_first_flush();
    std::this_thread::sleep_for(std::chrono::microseconds(random() % longest_life));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    done = WIFEXITED(status);
    kills += !done;
    ASSERT_LT(kills, 1000);
  }
  EXPECT_GT(kills, 0);
  test::expect_same_record(read_record(path("whole.h5")), read_record(path("run.h5")));
  EXPECT_FALSE(std::filesystem::exists(path("run.h5.part")));
}

bool changes_files(std::uint64_t call) {
  switch (call) {
    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_openat:
    case SYS_close:
    case SYS_flock:
    case SYS_rename:
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_unlink:
    case SYS_unlinkat:
    case SYS_copy_file_range:
    case SYS_sendfile:
      return true;
    default:
      return false;
  }
}

/// Lets a traced child run and kills it on its way into the system call number `at` of those that may change files.
/// Returns how many there were; fewer than `at` if the child ended before.
std::int64_t kill_at_call(::pid_t child, std::int64_t at) {
  int status = 0;
  ::waitpid(child, &status, 0);
  ::ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  for (std::int64_t count = 0;;) {
    ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status) || WIFSIGNALED(status)) return count;
    if (!WIFSTOPPED(status) || WSTOPSIG(status) != (SIGTRAP | 0x80)) continue;
    __ptrace_syscall_info info{};
    ::ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info);
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY || !changes_files(info.entry.nr) || ++count < at) continue;
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    return count;
  }
}

TEST_F(KillTest, BeforeEverySystemCallOfAShortRunTheFileIsWhole) {
  const Scene scene = parse_scene(scene_text(2), "two.yaml");
  // The record that the child replaces or resumes: a run of 5 steps.
  write(path("old.h5"), scene, false, 5, 100);
  for (bool resume : {false, true}) {
    const std::string file = path(resume ? "resumed.h5" : "run.h5");
    const auto run_and_kill = [&](std::int64_t at) {
      std::filesystem::remove(file);
      if (resume) std::filesystem::copy_file(path("old.h5"), file);
      const ::pid_t child = start([&] {
        if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(1);
        ::raise(SIGSTOP);
        write(file, scene, resume, 13, 3);
      });
      return kill_at_call(child, at);
    };
    const std::int64_t calls = run_and_kill(1'000'000'000);
    if (progress_->flushed != 13) GTEST_SKIP() << "this system does not let a program trace its child";
    ASSERT_GT(calls, 100);
    const std::int64_t stride = long_tests() ? 1 : std::max<std::int64_t>(1, calls / 25);
    for (std::int64_t at = 1; at <= calls; at += stride) {
      ASSERT_EQ(run_and_kill(at), at);
      ASSERT_TRUE(!resume || std::filesystem::exists(file));
      if (resume && progress_->flushed < 0) progress_->flushed = progress_->appended = 5;
      inspect(file, scene);
      ASSERT_FALSE(HasFailure()) << "killed before call " << at << " of " << calls;
    }
  }
}

}  // namespace
}  // namespace carom::kill_test
