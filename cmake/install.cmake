# What `cmake --install` puts where. A component is what one find_package(carom COMPONENTS ...) asks for: core (always),
# model_files, records, studies; the command is the component `command`. Each has an export set of its own, so that any of
# them can be installed by itself after those that it rests on.
include(GNUInstallDirs)
set(CAROM_PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/carom)

# A room's library and its public headers: all but those of tests and those that private_headers.cmake names.
function(carom_install_room name)
  set(folder ${PROJECT_SOURCE_DIR}/carom/${name})
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.h ${folder}/*/*.h)
  list(FILTER headers EXCLUDE REGEX "^test/")
  list(REMOVE_ITEM headers ${CAROM_PRIVATE_${name}})
  foreach(header ${headers})
    cmake_path(GET header PARENT_PATH beside)
    install(FILES ${folder}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/carom/${name}/${beside}
      COMPONENT ${CAROM_COMPONENT})
  endforeach()
  carom_export(carom_${name} ${name})
endfunction()

# carom_export(TARGET NAME): installs the target as carom::NAME, with the component CAROM_COMPONENT.
function(carom_export target name)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  if(NOT CAROM_NATIVE)  # carom/memory_layout.h
    target_compile_definitions(${target} INTERFACE $<INSTALL_INTERFACE:CAROM_INSTALLED_PORTABLE=1>)
  endif()
  install(TARGETS ${target} EXPORT carom_${CAROM_COMPONENT} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT ${CAROM_COMPONENT} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  set_property(GLOBAL APPEND PROPERTY CAROM_COMPONENTS ${CAROM_COMPONENT})
endfunction()

# The headers beside the rooms, and the files by which CMake and pkg-config find what was installed.
function(carom_install_package)
  set(CAROM_COMPONENT core)
  carom_export(carom_all carom)

  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/carom/*.h)
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/carom COMPONENT core)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/cmake/find DESTINATION ${CAROM_PACKAGE_FOLDER} COMPONENT core)

  get_property(components GLOBAL PROPERTY CAROM_COMPONENTS)
  list(REMOVE_DUPLICATES components)
  foreach(component ${components})
    install(EXPORT carom_${component} NAMESPACE carom:: FILE carom-${component}.cmake DESTINATION ${CAROM_PACKAGE_FOLDER}
      COMPONENT ${component})
  endforeach()

  include(CMakePackageConfigHelpers)
  set(package ${PROJECT_BINARY_DIR}/package)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/package/carom-config.cmake.in ${package}/carom-config.cmake
    INSTALL_DESTINATION ${CAROM_PACKAGE_FOLDER} NO_SET_AND_CHECK_MACRO)
  # Before 1.0 a minor version may change interfaces.
  write_basic_package_version_file(${package}/carom-config-version.cmake COMPATIBILITY SameMinorVersion)
  set(CAROM_PKGCONFIG_FLAGS "")
  if(NOT CAROM_NATIVE)
    set(CAROM_PKGCONFIG_FLAGS " -DCAROM_INSTALLED_PORTABLE=1")
  endif()
  file(RELATIVE_PATH CAROM_PREFIX_FROM_PKGCONFIG /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/package/carom.pc.in ${package}/carom.pc @ONLY)
  install(FILES ${package}/carom-config.cmake ${package}/carom-config-version.cmake DESTINATION ${CAROM_PACKAGE_FOLDER}
    COMPONENT core)
  install(FILES ${package}/carom.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT core)
endfunction()
