# yaml-cpp reads the YAML syntax; only yaml.cpp sees its headers.
find_package(yaml-cpp REQUIRED)
target_link_libraries(carom_scene PRIVATE yaml-cpp)
