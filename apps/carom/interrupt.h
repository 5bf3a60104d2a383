#pragma once

namespace carom {

/// From now on Ctrl-C (SIGINT) and SIGTERM ask the program to stop, on the way through a long step as well, instead of
/// killing it; a second one kills it.
void catch_interrupts();
/// Whether one came.
bool interrupted();

}  // namespace carom
