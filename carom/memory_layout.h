#pragma once

#include <Eigen/Core>

// Eigen's matrices cross the border between a program and the compiled library, so both must allocate them alike. Flags
// for wider registers and g++'s address sanitizer change how Eigen does it, and what one side allocates the other would
// then free wrongly. An installed Carom that was compiled for the plain processor refuses such a program here.
#if defined(CAROM_INSTALLED_PORTABLE) && defined(__GLIBC__) && defined(__LP64__)
#if EIGEN_DEFAULT_ALIGN_BYTES > 16 || EIGEN_MAX_ALIGN_BYTES > 16
#error "Carom was compiled without -march=native, -mavx and the like, so a program that uses it must be, too"
#elif !EIGEN_MALLOC_ALREADY_ALIGNED
#error \
    "add -DEIGEN_MALLOC_ALREADY_ALIGNED=1: under -fsanitize=address Eigen allocates otherwise than in the compiled Carom"
#endif
#endif

namespace carom {}
