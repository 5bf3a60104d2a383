#pragma once

#include <string>

namespace carom {

/// A text as a page shows it, which may be handed on. An absolute path in it keeps only its last name, behind "…/". So
/// no folder of the machine that made the page is told. A path begins at the text's start, or after a sign that ends a
/// word in YAML.
std::string without_folders(const std::string& text);

}  // namespace carom
