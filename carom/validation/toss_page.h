#pragma once

#include <string>
#include <vector>

#include "carom/validation/cube_tosses.h"

namespace carom {

/// One page of measured and simulated tosses. It shows errors against time and the height of the cube's centre, toss by
/// toss, and quartiles of the errors over all. Needs one run at least. Throws Error if the file can't be written.
void write_toss_page(const Scene& scene, const std::vector<TossRun>& runs, const TossProtocol& protocol,
                     const std::string& path);

}  // namespace carom
