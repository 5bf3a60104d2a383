#include "carom/record/page.h"

#include <nlohmann/json.hpp>

#include "carom/error.h"
#include "carom/record/report_page.h"
#include "carom/whole_file.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

/// Text that may stand between tags.
std::string escape(const std::string& text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

/// JSON that may stand in a script element: no text in it can end the element or open a comment.
std::string script_safe(const Json& json) {
  const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string safe;
  for (char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

void write_page(const std::string& title, const Json& content, std::string_view script, const std::string& path) {
  if (script.empty()) {
    throw Error("this Carom was built without its player, so it writes no pages; build it with CAROM_PLAYER=ON");
  }
  std::string text =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      escape(title) + " – Carom</title>\n<style>\n";
  text += report_style();
  text +=
      "</style>\n</head>\n<body>\n<main id=\"page\"></main>\n"
      "<noscript>This page draws its plots with JavaScript.</noscript>\n"
      "<script type=\"application/json\" id=\"run\">";
  text += script_safe(content);
  text += "</script>\n<script>\n";
  text += script;
  text += "</script>\n</body>\n</html>\n";
  write_whole_file(path, text, "the page");
}

}  // namespace carom
