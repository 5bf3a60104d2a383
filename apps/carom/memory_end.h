#pragma once

namespace carom {

/// From now on the program keeps a reserve of memory, and gives it back just before std::bad_alloc is thrown. So a
/// program that runs out of memory can still close its files and print its last sentence.
void keep_memory_for_the_end();
/// Gives the reserve back, for memory that was not asked for by operator new.
void give_memory_back();

}  // namespace carom
