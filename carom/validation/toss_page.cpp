#include "carom/validation/toss_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "carom/record/plots_page.h"

namespace carom {
namespace {

/// Errors of one toss, a value a frame: % of the cube's width, and degrees.
struct Errors {
  std::vector<double> position, rotation;
};

Errors errors_of(const TossRun& run, const TossProtocol& protocol) {
  Errors errors;
  for (std::size_t k = 0; k < run.simulated.size(); ++k) {
    const PoseError error = pose_error(run.simulated[k], run.measured.poses[k], protocol);
    errors.position.push_back(100 * error.position);
    errors.rotation.push_back(error.rotation);
  }
  return errors;
}

std::vector<double> frame_times(std::size_t frames, const TossProtocol& protocol) {
  std::vector<double> times;
  for (std::size_t k = 0; k < frames; ++k) times.push_back(static_cast<double>(k) / protocol.frame_rate);
  return times;
}

/// Height of the centre, mm.
std::vector<double> heights(const std::vector<Pose>& poses) {
  std::vector<double> values;
  values.reserve(poses.size());
  for (const Pose& pose : poses) values.push_back(1000 * pose.position.z());
  return values;
}

/// Value below which the given share of the sorted values lies, linear between them.
double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Quartiles over the tosses, for as long as all of them last.
Plot quartiles(const char* title, const char* unit, const std::vector<Errors>& all, std::vector<double> Errors::*which,
               const TossProtocol& protocol) {
  std::size_t frames = (all.front().*which).size();
  for (const Errors& errors : all) frames = std::min(frames, (errors.*which).size());
  std::vector<double> lower, middle, upper, sorted;
  for (std::size_t k = 0; k < frames; ++k) {
    sorted.clear();
    for (const Errors& errors : all) sorted.push_back((errors.*which)[k]);
    std::sort(sorted.begin(), sorted.end());
    lower.push_back(quantile(sorted, 0.25));
    middle.push_back(quantile(sorted, 0.5));
    upper.push_back(quantile(sorted, 0.75));
  }
  return {title,
          unit,
          frame_times(frames, protocol),
          {{"median", middle}, {"a quarter lie below", lower}, {"a quarter lie above", upper}}};
}

/// "toss" as the first word of a line.
std::string capital(std::string word) {
  word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
  return word;
}

PlotSection overview(const TossPageWords& words, const std::vector<TossRun>& runs, const std::vector<Errors>& errors,
                     const TossProtocol& protocol) {
  PlotSection section;
  section.title = "All of them";
  section.note = fmt::format(
      "Means over the {0}, and at its end. Every {1} is released as the frames before the first contact say, and not "
      "corrected afterwards. Below, quartiles over all, for as long as the shortest lasts.",
      words.toss, words.body);
  section.columns = {words.toss,           "frames",  "in flight",       "position, mean (%)", "end (%)",
                     "rotation, mean (°)", "end (°)", "right face down", "unsolved steps"};
  for (const TossRun& run : runs) {
    const TossError& error = run.error;
    section.rows.push_back({std::to_string(run.measured.number), std::to_string(run.simulated.size()),
                            std::to_string(run.release.frames), fmt::format("{:.1f}", 100 * error.mean.position),
                            fmt::format("{:.1f}", 100 * error.end.position), fmt::format("{:.1f}", error.mean.rotation),
                            fmt::format("{:.1f}", error.end.rotation), error.right_face ? "yes" : "no",
                            std::to_string(run.certificate.unsolved_steps)});
  }
  section.plots = {quartiles("position error", "% of the width", errors, &Errors::position, protocol),
                   quartiles("rotation error", "°", errors, &Errors::rotation, protocol)};
  return section;
}

PlotSection toss_section(const TossPageWords& words, const TossRun& run, const Errors& errors,
                         const TossProtocol& protocol) {
  const std::vector<double> times = frame_times(run.simulated.size(), protocol);
  PlotSection section;
  section.title = fmt::format("{} {}", capital(words.toss), run.measured.number);
  section.note = fmt::format("In flight until {:.3f} s.", run.release.frames / protocol.frame_rate);
  if (!run.error.right_face) section.note += " Ends on another side than the measured " + words.body + ".";
  section.plots = {
      {"position error", "% of the width", times, {{"error", errors.position}}},
      {"rotation error", "°", times, {{"error", errors.rotation}}},
      {"height of the centre",
       "mm",
       times,
       {{"simulated", heights(run.simulated)}, {"measured", heights(run.measured.poses)}}},
  };
  return section;
}

}  // namespace

void write_toss_page(const TossPageWords& words, const Scene& scene, const std::vector<TossRun>& runs,
                     const TossProtocol& protocol, const std::string& path, const std::vector<PlotSection>& first) {
  const ContactMaterial surface = scene.model->contact_material(0, 0);
  std::vector<Errors> errors;
  errors.reserve(runs.size());
  for (const TossRun& run : runs) errors.push_back(errors_of(run, protocol));
  PlotsPage page;
  page.title = words.title;
  page.lead = words.lead;
  page.facts = {{"stepper", stepper_name(scene.method.stepper)},
                {"impact law", law_name(scene.method.law)},
                {"step", fmt::format("{:.4g} s", runs.front().step)},
                {"friction", fmt::format("{:g}", surface.friction.x())},
                {"restitution", fmt::format("{:g}", surface.restitution.at(0))},
                {"gravity", fmt::format("{:g} m/s²", protocol.gravity)},
                {"width, for errors", fmt::format("{:g} mm", 2000 * protocol.half_width)}};
  page.sections = first;
  page.sections.push_back(overview(words, runs, errors, protocol));
  for (std::size_t i = 0; i < runs.size(); ++i)
    page.sections.push_back(toss_section(words, runs[i], errors[i], protocol));
  write_plots_page(page, path);
}

}  // namespace carom
