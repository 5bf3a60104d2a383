# A room is a folder of carom/: a library of its sources, which may lie in folders of their own, and one test program of
# its test/ folder.
#
#   carom_room(NAME [USES room ...])
#
# A room sees the public headers of the rooms it USES and of those that they use; scripts/check_house.py reads the same
# lines and holds every include to them. carom/NAME/room.cmake, where it exists, adds the libraries that this room alone
# needs. Each case of the test program is a test of its own, named NAME:Suite.Case. The room is installed with its
# public headers (install.cmake) as carom::NAME, in the component CAROM_COMPONENT; where that is empty it is not installed.
function(carom_room name)
  cmake_parse_arguments(ROOM "" "" "USES" ${ARGN})
  set(folder ${PROJECT_SOURCE_DIR}/carom/${name})
  set(target carom_${name})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/test/[^/]*$")
  file(GLOB tests CONFIGURE_DEPENDS ${folder}/test/*.cpp)
  list(TRANSFORM ROOM_USES PREPEND carom_)
  add_library(${target} STATIC ${sources})
  add_library(carom::${name} ALIAS ${target})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_link_libraries(${target} PUBLIC Eigen3::Eigen ${ROOM_USES})
  # Here CMAKE_CXX_STANDARD asks for it; a peer of benchmarks and tests may need an older one.
  if(PROJECT_IS_TOP_LEVEL)
    target_compile_features(${target} PUBLIC $<INSTALL_INTERFACE:cxx_std_20>)
  else()
    target_compile_features(${target} PUBLIC cxx_std_20)
  endif()
  carom_batch(${target} ${sources})
  if(CAROM_INSTALL AND CAROM_COMPONENT)
    carom_install_room(${name})
  endif()
  if(CAROM_TESTS AND tests)
    add_executable(test_${name} ${tests})
    target_link_libraries(test_${name} PRIVATE ${target} carom_testing GTest::gtest GTest::gtest_main)
    if(NOT CAROM_SANITIZE)
      # Templates of Eigen and GoogleTest take most of a build; optimising them less saves a quarter of it.
      # At that level g++ 12 takes Eigen's fixed-size temporaries for uninitialised.
      target_compile_options(test_${name} PRIVATE -O1 -Wno-maybe-uninitialized)
    endif()
    carom_batch(test_${name} ${tests})
    gtest_discover_tests(test_${name} TEST_PREFIX ${name}: DISCOVERY_MODE PRE_TEST
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} PROPERTIES LABELS ${name} TIMEOUT 600)
  endif()
  if(CAROM_TESTS AND NOT CAROM_SANITIZE)
    carom_lone_headers(${name})
  endif()
  if(EXISTS ${folder}/room.cmake)
    include(${folder}/room.cmake)
  endif()
endfunction()

# A header with a source of its own name is the first include of that source, so compiling the source shows that the
# header stands alone. The others get a source that includes nothing else.
function(carom_lone_headers name)
  set(folder ${PROJECT_SOURCE_DIR}/carom/${name})
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.h ${folder}/*/*.h)
  list(FILTER headers EXCLUDE REGEX "^test/")
  set(sources)
  foreach(header ${headers})
    string(REGEX REPLACE "\\.h$" "" stem ${header})
    if(NOT EXISTS ${folder}/${stem}.cpp)
      set(source ${PROJECT_BINARY_DIR}/lone_headers/${name}/${stem}.cpp)
      file(CONFIGURE OUTPUT ${source} CONTENT "#include \"carom/${name}/${header}\"\n")
      list(APPEND sources ${source})
    endif()
  endforeach()
  if(sources)
    add_library(lone_headers_${name} OBJECT ${sources})
    target_link_libraries(lone_headers_${name} PRIVATE carom_${name})
    target_compile_options(lone_headers_${name} PRIVATE -O0)
  endif()
endfunction()
