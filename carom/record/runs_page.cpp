#include "carom/record/runs_page.h"

#include <nlohmann/json.hpp>

#include "carom/error.h"
#include "carom/record/page.h"
#include "carom/record/report_data.h"
#include "carom/record/report_page.h"

namespace carom {

void write_runs_page(const std::string& title, const std::vector<PageRun>& runs, const nlohmann::ordered_json& top,
                     const std::string& path) {
  if (runs.empty()) throw Error(path + ": a page of runs needs at least one run");
  nlohmann::ordered_json content{{"title", title}, {"runs", nlohmann::ordered_json::array()}};
  if (!top.empty()) content["top"] = top;
  for (const PageRun& run : runs) {
    nlohmann::ordered_json data = report_data(*run.record);
    data["name"] = run.name;
    content["runs"].push_back(std::move(data));
  }
  write_page(title, content, runs_script(), path);
}

}  // namespace carom
