#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carom/scene/values.h"
#include "carom/study/method_choice.h"

// Parts that the files of several kinds of study have in common.
namespace carom {

/// The kind of file that a study is read from, in sentences.
inline constexpr const char* study_file = "a study file (YAML)";

/// A path of a study's file: as it is from the folder of that file.
std::string beside_study(const std::string& study, const std::string& path);

/// A whole number; a value below `least` is reported.
std::int64_t read_count(const Fields& fields, const std::string& key, int otherwise, int least,
                        Diagnostics& diagnostics);
/// Index of the word under a key; 0, the first, without the key.
int read_word(const Fields& fields, const std::string& key, const std::vector<std::string>& words,
              Diagnostics& diagnostics);
/// STEPPER/LAW each; duplicates and an empty list are reported.
std::vector<MethodChoice> read_method_choices(const YamlNode& node, Diagnostics& diagnostics);

}  // namespace carom
