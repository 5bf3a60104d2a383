# `make package`: Debian packages by CPack. `carom` is the command with its pages, completion and scenes; its dependencies are
# those of the program's shared libraries (dpkg-shlibdeps). `libcarom-dev` has headers, archives and what CMake and pkg-config
# find; it needs the core's libraries, and recommends those of the optional components. `python3-carom` is the Python module,
# where it is built; it is for the version of Python that it was built with.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME carom)
set(CPACK_PACKAGE_VENDOR Carom)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# Who packages, as Debian's own tools find it out.
set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
if(maintainer STREQUAL " <>")
  execute_process(COMMAND git log -1 "--format=%an <%ae>" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE maintainer OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${maintainer}")
# Compresses, strips archives and writes the changelog, as Debian's policy asks; between installing and packing.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package/as_debian_has_it.cmake)

set(packages carom libcarom-dev)
if(TARGET carom_python)
  list(APPEND packages python3-carom)
endif()
foreach(package ${packages})
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/package/copyright DESTINATION share/doc/${package} COMPONENT doc_${package}
    EXCLUDE_FROM_ALL)
endforeach()
set(CPACK_COMPONENTS_ALL command doc_carom core model_files records studies doc_libcarom-dev)
if(TARGET carom_python)
  list(APPEND CPACK_COMPONENTS_ALL python doc_python3-carom)
endif()

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME carom)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "chromium, ffmpeg")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "simulator of mechanisms with contacts and impacts
Carom simulates mechanisms whose parts touch, slide, stick and strike one
another, under every major contact law, and says with every result how well
the contact equations were solved and where the energy went.

This package has the command, its manual pages and scenes to begin with.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libcarom-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "libeigen3-dev (>= 3.4), libtbb-dev, libqhull-dev, libbullet-dev")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "libtinyxml2-dev, libassimp-dev, liblodepng-dev, libmeshoptimizer-dev, libsdformat-dev, libyaml-cpp-dev, \
libmuparser-dev, libhdf5-dev, libfmt-dev, nlohmann-json3-dev, libnlopt-cxx-dev")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "mechanisms with contacts and impacts - development files
Carom simulates mechanisms whose parts touch, slide, stick and strike one
another, under every major contact law, and says with every result how well
the contact equations were solved and where the energy went.

This package has the C++ library: headers, static archives, and the files by
which CMake and pkg-config find them.")
if(TARGET carom_python)
  math(EXPR next "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_MODULE_PACKAGE_NAME python3-carom)
  set(CPACK_DEBIAN_MODULE_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_MODULE_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_MODULE_PACKAGE_DEPENDS
    "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next}), python3-numpy")
  set(CPACK_DEBIAN_MODULE_PACKAGE_RECOMMENDS "python3-scipy, python3-matplotlib")
  set(CPACK_DEBIAN_MODULE_PACKAGE_SUGGESTS "carom")
  # They compile the package's files when it is installed, and clean up before it goes, as Debian's own do.
  set(CPACK_DEBIAN_MODULE_PACKAGE_CONTROL_EXTRA
    "${PROJECT_SOURCE_DIR}/cmake/package/postinst;${PROJECT_SOURCE_DIR}/cmake/package/prerm")
  set(CPACK_DEBIAN_MODULE_DESCRIPTION "mechanisms with contacts and impacts - Python module
Carom simulates mechanisms whose parts touch, slide, stick and strike one
another, under every major contact law, and says with every result how well
the contact equations were solved and where the energy went.

This package has the Python module: scenes, models, simulations, batches,
dynamics and records, with NumPy arrays in and out.")
endif()
include(CPack)

cpack_add_component_group(program)
cpack_add_component_group(library)
foreach(component command doc_carom)
  cpack_add_component(${component} GROUP program)
endforeach()
foreach(component core model_files records studies doc_libcarom-dev)
  cpack_add_component(${component} GROUP library)
endforeach()
if(TARGET carom_python)
  cpack_add_component_group(module)
  foreach(component python doc_python3-carom)
    cpack_add_component(${component} GROUP module)
  endforeach()
endif()
