#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <tuple>

#include "carom/error.h"
#include "carom/record/report.h"
#include "carom/study/sweep.h"
#include "carom/study/sweep_page.h"
#include "carom/study/sweep_table.h"
#include "carom/whole_file.h"
#include "commands.h"
#include "external_program.h"
#include "interrupt.h"
#include "output_file.h"
#include "progress.h"
#include "record_names.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

/// The files of a sweep, beside one another.
struct Places {
  SweepFiles tables;
  std::string journal, records, script;
};

Places places_of(const SweepCommandOptions& options) {
  const fs::path csv = options.out.empty() ? fs::path("runs") / (fs::path(options.study).stem().string() + ".csv")
                                           : fs::path(options.out);
  if (csv.extension() != ".csv") throw Error("--out " + options.out + ": a sweep's table is CSV; end its name in .csv");
  make_folder_of(csv);
  const auto beside = [&](const char* ending) { return fs::path(csv).replace_extension(ending).string(); };
  // Told before the work, and not after it.
  for (const std::string& file : {csv.string(), beside(".h5"), beside(".journal")}) {
    if (fs::is_directory(file)) throw Error(file + ": a folder has this name, so no file can; give another --out");
  }
  const std::string page = !options.write_page || !has_player() ? ""
                           : options.page.empty()               ? beside(".html")
                                                                : options.page;
  if (!options.page.empty()) make_folder_of(options.page);
  return {{csv.string(), beside(".h5"), page}, beside(".journal"), beside(".records"), beside(".slurm.sh")};
}

/// Journals of the sweep, and of its parts.
std::vector<fs::path> journals_of(const Places& places) {
  std::error_code ignored;
  const fs::path journal(places.journal);
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(journal.parent_path().empty() ? "." : journal.parent_path(), ignored)) {
    const std::string name = entry.path().filename().string(), start = journal.filename().string();
    if (name == start || name.starts_with(start + ".part-")) found.push_back(entry.path());
  }
  return found;
}

/// Throws Error where tables would be written over files that no sweep left: such a one leaves its journal beside them.
void refuse_files_of_others(const Places& places) {
  std::error_code ignored;
  if (!places.tables.page.empty()) check_overwrite(places.tables.page, "page", "<!doctype html>");
  if (!journals_of(places).empty()) return;
  for (const std::string& file : {places.tables.csv, places.tables.hdf5, places.tables.page}) {
    // One without a byte is the trial of a sweep that was killed as it began.
    if (file.empty() || !fs::exists(file, ignored) || fs::file_size(file, ignored) == 0) continue;
    throw Error(file + " exists, and no sweep's journal " + places.journal +
                " is beside it; name another table with --out, or replace it with --force");
  }
}

/// I and N of "I/N".
std::pair<int, int> part_of(const std::string& text) {
  const std::size_t bar = text.find('/');
  const auto number = [&](std::size_t from, std::size_t to) {
    int value = -1;
    const char* end = text.data() + std::min(to, text.size());
    const auto [stop, error] = std::from_chars(text.data() + from, end, value);
    return error == std::errc() && stop == end ? value : -1;
  };
  const int i = bar == std::string::npos ? -1 : number(0, bar),
            n = bar == std::string::npos ? -1 : number(bar + 1, text.size());
  if (i < 0 || n < 1 || i >= n) {
    throw Error("--part " + text + ": write I/N with I from 0 to N - 1, as in --part 0/4 for the first of four");
  }
  return {i, n};
}

/// Removes what an earlier sweep of this name has done.
void forget(const Places& places) {
  std::error_code ignored;
  for (const fs::path& file : journals_of(places)) fs::remove(file, ignored);
}

/// A job array that does the cases in chunks, each part as often as a node fails under it.
std::string slurm_script(const SweepCommandOptions& options, const std::string& program) {
  const auto quoted = [](const std::string& text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
  };
  const Places places = places_of(options);
  std::string text = "#!/bin/sh\n";
  text += fmt::format("#SBATCH --array=0-{}\n#SBATCH --requeue\n#SBATCH --open-mode=append\n", options.chunks - 1);
  text += fmt::format("#SBATCH --job-name=carom-sweep\n#SBATCH --output=\"{}.%a.log\"\n", places.script);
  for (const std::string& option : options.sbatch) text += "#SBATCH " + option + "\n";
  text += fmt::format(
      "exec {} sweep {} --out {} --part \"$SLURM_ARRAY_TASK_ID/{}\" --threads \"${{SLURM_CPUS_PER_TASK:-1}}\" "
      "--quiet\n",
      quoted(program), quoted(options.study), quoted(places.tables.csv), options.chunks);
  return text;
}

void run_on_slurm(const SweepCommandOptions& options, const Places& places) {
  if (options.chunks < 1) throw Error("--chunks must be 1 or more");
  write_whole_file(places.script, slurm_script(options, fs::read_symlink("/proc/self/exe").string()),
                   "the job's script");
  if (!options.quiet)
    fmt::print(stderr, "submitting {} in {} parts; waiting for its end\n", places.script, options.chunks);
  const std::string sbatch = need_program({"sbatch"}, "slurm-client", "--engine slurm");
  const int status = run_program({sbatch, "--wait", places.script}, places.script + ".log", Errors::with_output);
  // Cases of parts that failed are told as not done; a job that was never taken is told here.
  if (status != 0 && !options.quiet) {
    fmt::print(stderr, "sbatch ended with status {}; {}.log and {}.*.log say more\n", status, places.script,
               places.script);
  }
}

SweepResult result_of(const SweepStudy& study, const SweepCommandOptions& options, const Places& places) {
  SweepOptions how;
  how.threads = options.threads;
  how.journal = places.journal;
  how.records = places.records;
  if (!options.part.empty()) std::tie(how.part, how.parts) = part_of(options.part);
  if (options.engine == "slurm") {
    how.stop = [] { return true; };  // gathers what the jobs have done
    return sweep(study, how);
  }
  how.stop = interrupted;
  catch_interrupts();
  std::optional<Progress> progress;
  if (!options.quiet) progress.emplace(fs::path(options.study).stem().string());
  how.progress = [&](double fraction) {
    if (progress) progress->show(fraction);
  };
  SweepResult result = sweep(study, how);
  release_interrupts();
  return result;
}

}  // namespace

int sweep_command(const SweepCommandOptions& options) {
  const SweepStudy study = load_sweep_study(options.study);
  const Places places = places_of(options);
  const bool is_part = !options.part.empty();
  if (is_part && options.engine == "slurm") throw Error("--part says what one machine does; leave out --engine slurm");
  if (!is_part && !options.force) refuse_files_of_others(places);
  if (!is_part && options.force) forget(places);
  if (options.engine == "slurm") run_on_slurm(options, places);

  const auto work = [&] {
    const SweepResult result = result_of(study, options, places);
    SweepFiles written;
    if (!is_part) {
      write_whole_file(places.tables.csv, sweep_csv(result), "the table");
      write_sweep_hdf5(result, places.tables.hdf5);
      written = places.tables;
      if (!result.whole()) written.page.clear();
      if (!written.page.empty()) write_sweep_page(study, result, written.page, interrupted);
    }
    if (options.json) fmt::print("{}\n", sweep_json(result, written));
    if (!options.json && !options.quiet) fmt::print("{}", sweep_text(result, written));
    if (is_part || result.whole()) return interrupted() ? 1 : 0;
    fmt::print(stderr, "{} of {} cases are not done; the same command goes on with them\n",
               result.count - std::ssize(result.rows), result.count);
    return 1;
  };
  // A case in which the program dies must not take the others with it.
  std::error_code ignored;
  std::uintmax_t seen = 0;
  return supervised(work, [&] {
    const std::string own =
        is_part ? places.journal + ".part-" + options.part.substr(0, options.part.find('/')) : places.journal;
    const std::uintmax_t size = fs::file_size(own, ignored);
    const bool grew = !ignored && size > seen;
    seen = size;
    return grew;
  });
}

}  // namespace carom
