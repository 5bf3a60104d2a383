#pragma once

#include <string>
#include <vector>

#include "carom/validation/cube_tosses.h"

namespace carom {

/// One page of measured and simulated tosses: errors against time and the height of the cube's centre, toss by toss,
/// and quartiles of the errors over all of them. `runs` is not empty. Throws Error if the file can't be written.
void write_toss_page(const Scene& scene, const std::vector<TossRun>& runs, const TossProtocol& protocol,
                     const std::string& path);

}  // namespace carom
