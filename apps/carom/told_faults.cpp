#include "told_faults.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>

#include "carom/error.h"
#include "carom/output_error.h"
#include "standard_output.h"

namespace carom {
namespace {

/// True if the system gave no memory or no thread. TBB tells of threads with a text alone.
bool is_spent(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
         std::string_view(error.what()).find("pthread_create") != std::string_view::npos;
}

}  // namespace

int telling_faults_of(const std::function<int()>& work) {
  try {
    return work();
  } catch (const OutputError& error) {
    std::cerr << "carom: " << error.what() << "\n";
    return 1;
  } catch (const Error& error) {
    std::cerr << "carom: " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    if (is_spent(error)) {
      std::cerr
          << "carom: the memory or the threads that this program may use are spent; a smaller scene needs fewer\n";
      finish_standard_output(1);
      // Files are closed, and what libraries do at the end would ask for more.
      std::_Exit(1);
    }
    // The end of the program tells what standard output refused.
    if (std::ferror(stdout) == 0) std::cerr << "carom: failed: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace carom
