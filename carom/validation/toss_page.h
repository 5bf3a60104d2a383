#pragma once

#include <string>
#include <vector>

#include "carom/record/plots_page.h"
#include "carom/scene/scene.h"
#include "carom/validation/toss_run.h"

namespace carom {

/// Names for what was measured, as a page has them.
struct TossPageWords {
  std::string title;  ///< of the page
  std::string lead;   ///< source of the measurements
  std::string toss;   ///< what one of them is, "toss"
  std::string body;   ///< what was thrown, "cube"
};

/// One page of measured and simulated tosses. It shows errors against time and the height of the body's centre, toss by
/// toss, and quartiles of the errors over all. `first`: sections before these. Needs one run at least. Throws Error if
/// the file can't be written.
void write_toss_page(const TossPageWords& words, const Scene& scene, const std::vector<TossRun>& runs,
                     const TossProtocol& protocol, const std::string& path, const std::vector<PlotSection>& first = {});

}  // namespace carom
