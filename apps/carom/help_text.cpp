#include "help_text.h"

#include <algorithm>
#include <sstream>

namespace carom {
namespace {

/// A name without the value that a flag sets: CLI11 writes "--no-report{false}".
std::string without_flag_value(const std::string& name) { return name.substr(0, name.find('{')); }

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override {
    return (app->get_footer().empty() ? app->get_description() : app->get_footer()) + "\n";
  }
  std::string make_footer(const CLI::App* /*app*/) const override { return {}; }
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    if (is_positional) return CLI::Formatter::make_option_name(option, is_positional);
    std::string names;
    for (const std::string& name : option_names(*option)) names += (names.empty() ? "" : ",") + name;
    return names;
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() {
  auto formatter = std::make_shared<HelpFormatter>();
  formatter->column_width(30);
  return formatter;
}

std::vector<const CLI::App*> listed_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<const CLI::Option*> listed_options(const CLI::App& command) {
  return command.get_options(
      [](const CLI::Option* option) { return option->nonpositional() && !option->get_group().empty(); });
}

std::vector<const CLI::Option*> positional_options(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<std::string> option_names(const CLI::Option& option) {
  std::vector<std::string> names;
  std::istringstream all(option.get_name(false, true));
  for (std::string name; std::getline(all, name, ',');) names.push_back(without_flag_value(name));
  return names;
}

std::string option_value(const CLI::Option& option) {
  if (option.get_type_size() == 0) return {};
  const std::string standard = option.get_default_str();
  return option.get_type_name() + (standard.empty() ? "" : "=" + standard) +
         (option.get_expected_max() == CLI::detail::expected_max_vector_size ? " ..." : "");
}

std::vector<std::string> offered_values(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  std::vector<std::string> values;
  std::istringstream all(type.substr(open + 1, close - open - 1));
  for (std::string value; std::getline(all, value, ',');) values.push_back(value);
  return values;
}

CLI::Validator offer(const std::vector<std::string>& values) {
  std::string names;
  for (const std::string& value : values) names += (names.empty() ? "" : ",") + value;
  return CLI::Validator([](std::string& /*given*/) { return std::string(); }, "{" + names + "}");
}

}  // namespace carom
