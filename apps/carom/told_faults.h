#pragma once

#include <functional>

namespace carom {

/// Does a command's work and tells its faults on standard error. Returns its exit status: that of the work, 1 for what
/// could not be done or written, 2 for what was asked for wrongly. Ends the program where memory or threads are spent.
int telling_faults_of(const std::function<int()>& work);

}  // namespace carom
