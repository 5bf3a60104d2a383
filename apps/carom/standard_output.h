#pragma once

namespace carom {

/// Hands on to the system what standard output still holds, and tells on standard error if it did not take all: returns
/// 1 then, else `status`. The last thing a program does.
int finish_standard_output(int status);

}  // namespace carom
