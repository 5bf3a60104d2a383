# Has the sources of a target compiled in batches (CAROM_BATCHES): reading headers takes most of the time to compile one.
# cmake/batches.py keeps sources apart that name something alike in their anonymous namespaces, when CMake is run; where a
# change makes two clash, run CMake again.
function(carom_batch target)
  if(NOT CAROM_BATCHES OR NOT CAROM_PYTHON OR NOT TARGET ${target} OR NOT ARGN)
    return()
  endif()
  execute_process(COMMAND ${CAROM_PYTHON} -B ${PROJECT_SOURCE_DIR}/cmake/batches.py --size 42 ${ARGN}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE lines OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" lines "${lines}")
  foreach(line ${lines})
    string(REGEX MATCH "^([0-9]+) (.*)$" line "${line}")
    set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${target}_${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
