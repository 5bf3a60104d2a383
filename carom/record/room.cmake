find_package(HDF5 REQUIRED COMPONENTS C)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
target_link_libraries(carom_record PUBLIC nlohmann_json::nlohmann_json PRIVATE hdf5::hdf5 fmt::fmt)

# The pages' scripts: player/ bundled by npm and esbuild in the build folder, as C++ source; without it none.
set(player ${PROJECT_SOURCE_DIR}/player)
set(built ${PROJECT_BINARY_DIR}/player)
if(CAROM_PLAYER)
  find_program(NODE node REQUIRED)
  find_program(NPM npm REQUIRED)
  set(report_page ${built}/report_page.cpp)
  file(GLOB player_sources CONFIGURE_DEPENDS ${player}/src/*)
  file(MAKE_DIRECTORY ${built})
  add_custom_command(
    OUTPUT ${built}/packages.stamp
    COMMAND ${CMAKE_COMMAND} -E copy ${player}/package.json ${player}/package-lock.json ${built}
    COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${built}/packages.stamp
    DEPENDS ${player}/package.json ${player}/package-lock.json
    WORKING_DIRECTORY ${built}
    COMMENT "Installing the packages of the report's page"
    VERBATIM)
  add_custom_command(
    OUTPUT ${report_page}
    COMMAND ${NODE} ${player}/build.mjs ${report_page}
    DEPENDS ${built}/packages.stamp ${player}/build.mjs ${player_sources}
    WORKING_DIRECTORY ${built}
    COMMENT "Bundling the report's page"
    VERBATIM)
else()
  set(report_page ${built}/without.cpp)
  file(CONFIGURE OUTPUT ${report_page} CONTENT [[
#include "carom/record/report_page.h"
namespace carom {
std::string_view plots_script() { return {}; }
std::string_view runs_script() { return {}; }
std::string_view report_style() { return {}; }
}  // namespace carom
]])
endif()
# A library of its own, so that npm need not wait for the rooms below.
add_library(carom_report_page STATIC ${report_page})
target_include_directories(carom_report_page PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(carom_record PRIVATE carom_report_page)
if(CAROM_INSTALL)
  carom_export(carom_report_page report_page)
endif()
if(TARGET test_record)
  target_link_libraries(test_record PRIVATE hdf5::hdf5 nlohmann_json::nlohmann_json)
  carom_link_mujoco(test_record)
  # The reference for problem files, where it is installed (libfclib-dev).
  find_library(FCLIB fclib)
  find_path(FCLIB_INCLUDE fclib.h)
  if(FCLIB AND FCLIB_INCLUDE)
    target_compile_definitions(test_record PRIVATE CAROM_HAS_FCLIB)
    target_include_directories(test_record SYSTEM PRIVATE ${FCLIB_INCLUDE})
    target_link_libraries(test_record PRIVATE ${FCLIB})
  endif()
endif()
if(CAROM_TESTS AND CAROM_PLAYER)
  file(GLOB player_tests CONFIGURE_DEPENDS ${player}/test/*.test.js)
  add_test(NAME player COMMAND ${NODE} --test ${player_tests} WORKING_DIRECTORY ${built})
  set_tests_properties(player PROPERTIES LABELS player TIMEOUT 120)
endif()
# meshoptimizer makes meshes coarser that are drawn; only fewer_triangles.cpp sees its header.
find_package(meshoptimizer REQUIRED)
target_link_libraries(carom_record PRIVATE meshoptimizer::meshoptimizer)
