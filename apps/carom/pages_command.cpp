#include "pages_command.h"

#include <filesystem>

#include "bash_completion.h"
#include "carom/version.h"
#include "carom/whole_file.h"
#include "commit.h"
#include "help_text.h"
#include "manual_page.h"
#include "output_file.h"

namespace carom {

int pages_command(const CLI::App& program, const std::string& folder) {
  const std::filesystem::path root(folder);
  const auto write_page = [&](const CLI::App& command) {
    const std::filesystem::path path = root / "man1" / (page_name(program, command) + ".1");
    make_folder_of(path);
    write_whole_file(path.string(), manual_page(program, command, CAROM_VERSION, commit_date), "the page");
  };
  write_page(program);
  for (const CLI::App* command : listed_commands(program)) write_page(*command);
  const std::filesystem::path completion = root / "bash-completion" / program.get_name();
  make_folder_of(completion);
  write_whole_file(completion.string(), bash_completion(program), "the completion");
  return 0;
}

}  // namespace carom
