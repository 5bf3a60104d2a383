# Qhull's reentrant library: target qhull::reentrant. Debian's own files for CMake want the static library as well.
find_library(QHULL_R qhull_r)
find_path(QHULL_INCLUDE libqhull_r/qhull_ra.h)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(QhullReentrant REQUIRED_VARS QHULL_R QHULL_INCLUDE)
mark_as_advanced(QHULL_R QHULL_INCLUDE)
if(QhullReentrant_FOUND AND NOT TARGET qhull::reentrant)
  add_library(qhull::reentrant UNKNOWN IMPORTED)
  set_target_properties(qhull::reentrant PROPERTIES IMPORTED_LOCATION ${QHULL_R}
    INTERFACE_INCLUDE_DIRECTORIES ${QHULL_INCLUDE})
endif()
