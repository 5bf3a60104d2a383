find_package(fmt REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(nlohmann_json REQUIRED)
# Bullet's dynamics are what a figure of a paper shows; Carom's own do without.
find_package(BulletDouble REQUIRED COMPONENTS dynamics)
set_source_files_properties(${PROJECT_SOURCE_DIR}/carom/validation/bullet_energy.cpp PROPERTIES
  COMPILE_DEFINITIONS BT_USE_DOUBLE_PRECISION)
target_link_libraries(carom_validation PUBLIC nlohmann_json::nlohmann_json
  PRIVATE fmt::fmt hdf5::hdf5 bullet::dynamics TBB::tbb)
if(TARGET test_validation)  # its tests write files of tosses and read JSON
  target_link_libraries(test_validation PRIVATE nlohmann_json::nlohmann_json hdf5::hdf5)
endif()
