#pragma once

namespace carom {

/// From now on a program that runs out of memory has some left to close its files with, and for its last sentence: a
/// reserve that is given back just before std::bad_alloc is thrown.
void keep_memory_for_the_end();
/// Gives the reserve back, for memory that was not asked for by operator new.
void give_memory_back();

}  // namespace carom
