#include "carom/record/runs_page.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "carom/error.h"
#include "carom/record/page.h"
#include "carom/record/player_data.h"
#include "carom/record/report_data.h"
#include "carom/record/report_page.h"
#include "carom/record/stored_appearance.h"
#include "carom/record/visual_meshes.h"

namespace carom {

namespace {

/// Opens the meshes that records only name, of runs of one scene once.
class OpenedAppearances {
 public:
  const Appearance& with_surfaces_of(const Appearance& appearance) {
    stored::Tree key = stored::write_appearance(appearance);
    const auto [place, is_new] = opened_.try_emplace({std::move(key.text), std::move(key.numbers)});
    if (is_new) place->second = with_surfaces(appearance);
    return place->second;
  }

 private:
  std::map<std::pair<std::string, std::vector<double>>, Appearance> opened_;
};

}  // namespace

void write_runs_page(const std::string& title, const std::vector<PageRun>& runs, const nlohmann::ordered_json& above,
                     const nlohmann::ordered_json& below, const std::string& path) {
  if (runs.empty()) throw Error(path + ": a page of runs needs at least one run");
  using Json = nlohmann::ordered_json;
  Json content{{"title", title}};
  Json geometries = Json::array(), players = Json::array();
  if (!above.empty()) content["above"] = above;
  if (!below.empty()) content["below"] = below;
  OpenedAppearances appearances;
  for (const PageRun& run : runs) {
    Json data = report_data(*run.record);
    data["name"] = run.name;
    // Runs of one scene share its shapes.
    const Scene& scene = run.record->scene;
    Json geometry = player_geometry(*scene.model, appearances.with_surfaces_of(scene.appearance));
    const auto known = std::find(geometries.begin(), geometries.end(), geometry);
    data["geometry"] = known - geometries.begin();
    if (known == geometries.end()) geometries.push_back(std::move(geometry));
    data["has_impacts"] = has_impacts(scene.method);
    data["play"] = player_data(*run.record);
    players.push_back(std::move(data));
  }
  content["geometries"] = std::move(geometries);
  content["runs"] = std::move(players);
  write_page(title, content, runs_script(), path);
}

}  // namespace carom
