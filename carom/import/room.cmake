# XML, meshes, images of height fields, names and frames of SDFormat.
find_package(tinyxml2 REQUIRED)
find_package(assimp REQUIRED)
find_package(LodePng REQUIRED)
target_link_libraries(carom_import PRIVATE tinyxml2::tinyxml2 assimp::assimp lodepng::lodepng)
find_package(sdformat12 REQUIRED)
target_link_libraries(carom_import PRIVATE sdformat12::sdformat12)
# Tests write images, and compare what becomes of them in MuJoCo.
if(TARGET test_import)
  target_link_libraries(test_import PRIVATE lodepng::lodepng)
  carom_link_mujoco(test_import)
endif()
