#pragma once

#include <filesystem>
#include <string>
#include <vector>

// Places for the files that commands write, made or refused before the work that fills them.
namespace carom {

/// Makes the folder that the file is to lie in, where there is none. Throws Error where the name is too long.
void make_folder_of(const std::filesystem::path& file);

/// The page of a scene: as given, else runs/SCENE-VARIATION-WHAT.html (record_names.h). Its folder is made; a place
/// where something else is, is refused. `option` gave it.
std::filesystem::path page_place(const std::string& given, const std::string& scene,
                                 const std::vector<std::string>& variation, const std::string& what,
                                 const std::string& option = "--out");

/// The same for a problem file. Makes its folder. Refuses a place where no file can be made, or where a file is that is
/// no problem file.
void prepare_problem_file(const std::string& path);

/// The same for a kept step, which is a record; not in the place of `source`.
void prepare_step_file(const std::string& path, const std::string& source);

/// The page beside a record: its name with .html in place of .h5.
std::string report_path(const std::string& record);

/// Refuses to write over what does not begin like the file that is to stand there, a `what`.
void check_overwrite(const std::filesystem::path& path, const std::string& what, const std::string& beginning);

}  // namespace carom
