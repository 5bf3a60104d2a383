#pragma once

namespace carom {

/// From now on Ctrl-C (SIGINT) and SIGTERM ask the program to stop, on the way through a long step as well, instead of
/// killing it; a second one kills it.
void catch_interrupts();
/// Whether one came.
bool interrupted();
/// From now on they end the program at once, as they do before catch_interrupts().
void release_interrupts();

}  // namespace carom
