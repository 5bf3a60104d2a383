# Carom as others have it: installed to an empty folder, found and used from there; and the core without what it needs not.
if(CAROM_INSTALL AND NOT CAROM_SANITIZE)
  add_test(NAME install:core
    COMMAND ${CAROM_PYTHON} -B ${PROJECT_SOURCE_DIR}/testing/install/test_core.py ${CMAKE_COMMAND} ${PROJECT_SOURCE_DIR}
      ${PROJECT_BINARY_DIR} ${CMAKE_CXX_COMPILER})
  add_test(NAME install:without_options
    COMMAND ${CAROM_PYTHON} -B ${PROJECT_SOURCE_DIR}/testing/install/test_without_options.py ${CMAKE_COMMAND}
      ${PROJECT_SOURCE_DIR} ${CMAKE_CXX_COMPILER})
  set_tests_properties(install:core install:without_options PROPERTIES LABELS install TIMEOUT 1200)
endif()
