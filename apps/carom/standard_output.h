#pragma once

namespace carom {

/// Flushes standard output. If the system did not take all of it, says so on standard error and returns 1, else returns
/// `status`. The last thing a program does.
int finish_standard_output(int status);

}  // namespace carom
