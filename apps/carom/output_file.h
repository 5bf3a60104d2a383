#pragma once

#include <filesystem>
#include <string>

// Places for the files that commands write, made or refused before the work that fills them.
namespace carom {

/// Makes the folder that the file is to lie in, where there is none.
void make_folder_of(const std::filesystem::path& file);

/// The same for a problem file. Refuses a place where no file can be made, or where a file is that is no problem file.
void prepare_problem_file(const std::string& path);

}  // namespace carom
