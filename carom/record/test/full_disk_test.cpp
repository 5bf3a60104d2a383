#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>

#include "carom/output_error.h"
#include "carom/record/array_file.h"
#include "carom/record/record.h"
#include "carom/record/test/random_run.h"
#include "carom/record/test/same_record.h"
#include "carom/record/test/test_folder.h"
#include "carom/whole_file.h"

// Files that may not grow: what a full disk does to programs that write.
namespace carom::full_disk_test {
namespace {

using test::RandomRun;
using test::scene_text;

constexpr int refused = 10, other = 11;  // exit statuses of a child

class FullDiskTest : public test::FolderTest {
 protected:
  /// Exit status of a child that may write no file beyond `bytes`; −1 if a signal ended it. A child ends as programs
  /// do, with all that libraries do at the end.
  template <class Work>
  static int with_limit(std::size_t bytes, Work&& work) {
    const ::pid_t child = ::fork();
    if (child == 0) {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{bytes, bytes};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      int status = 0;
      try {
        work();
      } catch (const OutputError&) {
        status = refused;
      } catch (...) {
        status = other;
      }
      std::exit(status);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  static void append(RecordWriter& writer, const Scene& scene, std::int64_t from, std::int64_t to) {
    State state;
    StepReport report;
    const RandomRun run(*scene.model, 5);
    for (std::int64_t step = from; step <= to; ++step) {
      run.step(step, state, report);
      writer.append(state, report);
      if (step % 50 == 0) writer.flush();
    }
  }

  static void write(const std::string& file, const Scene& scene, std::int64_t steps) {
    RecordWriter writer = RecordWriter::create(file, scene);
    append(writer, scene, 1, steps);
    writer.finish("done", 0);
  }

  static std::string bytes_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// A record under this name is whole: every frame is a step of the run. Returns its last step.
  static std::int64_t whole(const std::string& file, const Scene& scene) {
    const Record record = read_record(file);
    State state;
    StepReport report;
    for (std::size_t i = 1; i < record.frames.size(); ++i) {
      RandomRun(*scene.model, 5).step(static_cast<std::int64_t>(i), state, report);
      EXPECT_TRUE(identical(record.frames[i].state, state)) << i;
    }
    return record.frames.back().state.step;
  }
};

TEST_F(FullDiskTest, LeavesTheLastWholeRecord) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  write(path("free.h5"), scene, 400);
  const std::size_t size = std::filesystem::file_size(path("free.h5"));
  for (int part = 0; part < 40; ++part) {
    const std::string file = path("run" + std::to_string(part) + ".h5");
    const int status = with_limit(size * static_cast<std::size_t>(part) / 40, [&] { write(file, scene, 400); });
    EXPECT_EQ(status, refused) << part;
    EXPECT_FALSE(std::filesystem::exists(file + ".part")) << part;
    if (std::filesystem::exists(file)) {
      EXPECT_LT(whole(file, scene), 400) << part;
    }
  }
  EXPECT_EQ(with_limit(2 * size, [&] { write(path("enough.h5"), scene, 400); }), 0);
  EXPECT_EQ(whole(path("enough.h5"), scene), 400);
}

TEST_F(FullDiskTest, ANewRecordThatBreaksOffGivesTheOldOneItsNameBack) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  const std::string file = path("run.h5");
  write(file, scene, 60);
  const std::string old = bytes_of(file);
  write(path("free.h5"), scene, 400);
  const std::size_t size = std::filesystem::file_size(path("free.h5"));
  for (std::size_t part = 0; part < 20; ++part) {
    EXPECT_EQ(with_limit(size * part / 20, [&] { write(file, scene, 400); }), refused) << part;
    EXPECT_EQ(bytes_of(file), old) << part;
  }
  // Other ends of a run than a full disk count alike.
  EXPECT_EQ(with_limit(2 * size,
                       [&] {
                         RecordWriter writer = RecordWriter::create(file, scene);
                         append(writer, scene, 1, 100);
                         throw std::bad_alloc();
                       }),
            other);
  EXPECT_EQ(bytes_of(file), old);
  EXPECT_EQ(with_limit(2 * size, [&] { write(file, scene, 400); }), 0);
  EXPECT_EQ(whole(file, scene), 400);
  EXPECT_FALSE(std::filesystem::exists(RecordWriter::replaced_name(file)));
}

TEST_F(FullDiskTest, AWriterThatIsKilledLeavesBothAndTheNextOneKeepsTheOld) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  const std::string file = path("run.h5");
  write(file, scene, 60);
  const std::string old = bytes_of(file);
  EXPECT_EQ(with_limit(1 << 30,
                       [&] {
                         RecordWriter writer = RecordWriter::create(file, scene);
                         append(writer, scene, 1, 100);
                         std::raise(SIGKILL);
                       }),
            -1);
  EXPECT_EQ(whole(file, scene), 100);
  EXPECT_EQ(bytes_of(RecordWriter::replaced_name(file)), old);
  EXPECT_EQ(with_limit(old.size(), [&] { write(file, scene, 400); }), refused);
  EXPECT_EQ(bytes_of(file), old);
}

TEST_F(FullDiskTest, ResumingLosesNothingOfTheRecord) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  write(path("first.h5"), scene, 200);
  write(path("free.h5"), scene, 400);
  const std::size_t size = std::filesystem::file_size(path("free.h5"));
  for (int part = 0; part < 40; ++part) {
    const std::string file = path("run" + std::to_string(part) + ".h5");
    std::filesystem::copy_file(path("first.h5"), file);
    const int status = with_limit(size * static_cast<std::size_t>(part) / 40, [&] {
      RecordWriter writer = RecordWriter::resume(file, scene);
      append(writer, scene, 201, 400);
      writer.finish("done", 0);
    });
    EXPECT_EQ(status, refused) << part;
    EXPECT_FALSE(std::filesystem::exists(file + ".part")) << part;
    EXPECT_GE(whole(file, scene), 200) << part;
  }
}

TEST_F(FullDiskTest, AWriterThatFailedStaysFailed) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  write(path("free.h5"), scene, 100);
  const std::size_t size = std::filesystem::file_size(path("free.h5"));
  const int status = with_limit(size, [&] {
    RecordWriter writer = RecordWriter::create(path("run.h5"), scene);
    EXPECT_THROW(append(writer, scene, 1, 1000), OutputError);
    EXPECT_THROW(writer.flush(), Error);
    EXPECT_THROW(writer.finish("done", 0), Error);
    if (::testing::Test::HasFailure()) throw Error("wrong");
  });
  EXPECT_EQ(status, 0);
  EXPECT_LT(whole(path("run.h5"), scene), 1000);
}

TEST_F(FullDiskTest, ArraysThatDoNotFitAreTold) {
  const std::vector<double> numbers(20000, 1.5);
  const auto write_array = [&] {
    ArrayFile file = ArrayFile::create(path("array.h5"));
    file.write_reals("/numbers", {static_cast<int>(numbers.size())}, numbers.data());
    file.finish();
  };
  for (const std::size_t bytes : {0, 100, 1000, 3000, 100000}) EXPECT_EQ(with_limit(bytes, write_array), refused);
  EXPECT_EQ(with_limit(1000000, write_array), 0);
  EXPECT_EQ(ArrayFile::open(path("array.h5")).reals("/numbers"), numbers);
}

TEST_F(FullDiskTest, AFileOfTextIsReplacedAsAWhole) {
  const std::string file = path("page.html"), before(5000, 'a'), after(50000, 'b');
  write_whole_file(file, before, "the page");
  EXPECT_EQ(with_limit(20000, [&] { write_whole_file(file, after, "the page"); }), refused);
  const auto contents = [&] {
    std::ifstream in(file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(contents(), before);
  EXPECT_FALSE(std::filesystem::exists(file + ".part"));
  write_whole_file(file, after, "the page");
  EXPECT_EQ(contents(), after);
}

}  // namespace
}  // namespace carom::full_disk_test
