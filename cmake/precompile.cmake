# The headers that most sources include, compiled once: reading them takes most of the time to compile a test. A source
# then sees them whether it includes them or not. Only the sanitized build does this, and the plain build beside it shows
# that every source includes what it needs and that headers stand alone.
target_link_libraries(carom_testing PRIVATE Eigen3::Eigen GTest::gtest)
target_precompile_headers(carom_testing PRIVATE
  <algorithm> <array> <cmath> <cstdint> <filesystem> <fstream> <functional> <limits> <memory> <numbers> <optional> <random>
  <sstream> <string> <vector> <Eigen/Dense> <gtest/gtest.h>)

# Gives them to those of the targets that exist and have sources.
function(carom_precompile)
  foreach(target ${ARGN})
    if(TARGET ${target})
      get_target_property(type ${target} TYPE)
      if(NOT type STREQUAL INTERFACE_LIBRARY)
        target_precompile_headers(${target} REUSE_FROM carom_testing)
      endif()
    endif()
  endforeach()
endfunction()
