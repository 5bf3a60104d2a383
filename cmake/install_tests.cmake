# Carom as others have it: installed to an empty folder, found and used from there; and the core without what it needs not.
if(CAROM_INSTALL AND NOT CAROM_SANITIZE)
  add_test(NAME install:core
    COMMAND ${CAROM_PYTHON} -B ${PROJECT_SOURCE_DIR}/testing/install/test_core.py ${CMAKE_COMMAND} ${PROJECT_SOURCE_DIR}
      ${PROJECT_BINARY_DIR} ${CMAKE_CXX_COMPILER})
  add_test(NAME install:without_options
    COMMAND ${CAROM_PYTHON} -B ${PROJECT_SOURCE_DIR}/testing/install/test_without_options.py ${CMAKE_COMMAND}
      ${PROJECT_SOURCE_DIR} ${CMAKE_CXX_COMPILER})
  set_tests_properties(install:core install:without_options PROPERTIES LABELS install TIMEOUT 1200)
  if(CAROM_STUDIES)
    add_test(NAME install:symbols COMMAND ${CAROM_PYTHON} -B ${PROJECT_SOURCE_DIR}/scripts/symbols.py ${PROJECT_BINARY_DIR}
      --check ${PROJECT_SOURCE_DIR}/docs/manual/symbols.txt)
    add_test(NAME install:packages
      COMMAND ${CAROM_PYTHON} -B ${PROJECT_SOURCE_DIR}/testing/install/test_packages.py ${CMAKE_COMMAND} ${PROJECT_SOURCE_DIR}
        ${PROJECT_BINARY_DIR})
    set_tests_properties(install:symbols install:packages PROPERTIES LABELS install TIMEOUT 3600)
  endif()
endif()
