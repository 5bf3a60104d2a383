find_package(fmt REQUIRED)
target_link_libraries(carom_study PRIVATE fmt::fmt)
