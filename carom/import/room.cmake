# XML, meshes, names and frames of SDFormat.
find_package(tinyxml2 REQUIRED)
find_package(assimp REQUIRED)
target_link_libraries(carom_import PRIVATE tinyxml2::tinyxml2 assimp::assimp)
find_package(sdformat12 REQUIRED)
target_link_libraries(carom_import PRIVATE sdformat12::sdformat12)
