# yaml-cpp reads the YAML syntax; only yaml.cpp sees its headers.
find_package(yaml-cpp REQUIRED)
target_link_libraries(carom_scene PRIVATE yaml-cpp)
# muParser reads formulas; only expression.cpp sees its header.
find_package(muparser REQUIRED)
target_link_libraries(carom_scene PRIVATE muparser::muparser)
# MuJoCo itself, to compare what becomes of its files here.
if(TARGET test_scene)
  target_link_libraries(test_scene PRIVATE carom_test_models)
  carom_link_mujoco(test_scene)
endif()
# Simbody and libsdformat's own tree of a file, to compare what becomes of SDFormat here.
if(TARGET test_scene)
  find_path(SIMBODY_INCLUDE Simbody.h PATH_SUFFIXES simbody)
  set(simbody_libraries)
  foreach(library SimTKsimbody SimTKmath SimTKcommon)
    find_library(${library}_LIBRARY ${library})
    list(APPEND simbody_libraries ${${library}_LIBRARY})
  endforeach()
  if(SIMBODY_INCLUDE AND NOT "${simbody_libraries}" MATCHES "NOTFOUND")
    find_package(sdformat12 REQUIRED)
    add_library(sdf_in_simbody OBJECT ${PROJECT_SOURCE_DIR}/testing/peers/sdf_in_simbody.cpp)
    target_include_directories(sdf_in_simbody SYSTEM PRIVATE ${SIMBODY_INCLUDE})
    target_link_libraries(sdf_in_simbody PUBLIC carom_spatial PRIVATE sdformat12::sdformat12)
    # Debian compiled Simbody without NDEBUG, on which its types depend. Eigen's checks, which would then differ between
    # the sources of one program, stay off.
    set_target_properties(sdf_in_simbody PROPERTIES CXX_STANDARD 17)
    target_compile_options(sdf_in_simbody PRIVATE -UNDEBUG -DEIGEN_NO_DEBUG)
    target_compile_definitions(test_scene PRIVATE CAROM_WITH_SIMBODY)
    target_link_libraries(test_scene PRIVATE sdf_in_simbody ${simbody_libraries} sdformat12::sdformat12)
  else()
    message(STATUS "Simbody (libsimbody-dev) not found: tests that compare with it are skipped")
  endif()
endif()
