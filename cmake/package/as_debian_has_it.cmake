# CPack runs this on what it installed, before it packs: as Debian's policy wants it.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
execute_process(COMMAND date --rfc-email --utc "--date=@$ENV{SOURCE_DATE_EPOCH}" OUTPUT_VARIABLE date
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(GLOB documents ${root}/*/usr/share/doc/*)
foreach(folder ${documents})
  cmake_path(GET folder FILENAME package)
  file(WRITE ${folder}/changelog "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
    "  * Version ${CPACK_PACKAGE_VERSION}; CHANGELOG.md of the sources says what is new.\n\n"
    " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}\n")
endforeach()
file(GLOB texts ${root}/*/usr/share/man/man1/*.1 ${root}/*/usr/share/doc/*/changelog)
file(GLOB_RECURSE archives ${root}/*/usr/lib/*.a)
if(texts)
  execute_process(COMMAND gzip -9n ${texts} COMMAND_ERROR_IS_FATAL ANY)
endif()
foreach(archive ${archives})
  execute_process(COMMAND strip --strip-debug --enable-deterministic-archives --remove-section=.comment
    --remove-section=.note ${archive} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
