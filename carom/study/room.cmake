find_package(fmt REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(nlohmann_json REQUIRED)
# The variant of NLopt with its C++ methods; its two files for CMake bear one name.
find_path(NLOPT_INCLUDE nlopt.hpp REQUIRED)
find_library(NLOPT_CXX nlopt_cxx REQUIRED)
# Bullet's dynamics are what a figure of a paper shows; Carom's own do without.
find_path(BULLET_DYNAMICS_INCLUDE btBulletDynamicsCommon.h PATH_SUFFIXES bullet REQUIRED)
find_library(BULLET_DYNAMICS BulletDynamics-float64 REQUIRED)
find_library(BULLET_COLLISION BulletCollision-float64 REQUIRED)
find_library(BULLET_MATH LinearMath-float64 REQUIRED)
set_source_files_properties(${PROJECT_SOURCE_DIR}/carom/study/bullet_energy.cpp PROPERTIES
  COMPILE_DEFINITIONS BT_USE_DOUBLE_PRECISION)
target_include_directories(carom_study SYSTEM PRIVATE ${HDF5_C_INCLUDE_DIRS} ${NLOPT_INCLUDE} ${BULLET_DYNAMICS_INCLUDE})
target_compile_definitions(carom_study PRIVATE ${HDF5_C_DEFINITIONS})
target_link_libraries(carom_study PRIVATE fmt::fmt nlohmann_json::nlohmann_json ${HDF5_C_LIBRARIES} ${NLOPT_CXX}
  ${BULLET_DYNAMICS} ${BULLET_COLLISION} ${BULLET_MATH} TBB::tbb)
if(TARGET test_study)  # its tests write files of tosses and read JSON
  target_include_directories(test_study SYSTEM PRIVATE ${HDF5_C_INCLUDE_DIRS})
  target_compile_definitions(test_study PRIVATE ${HDF5_C_DEFINITIONS})
  target_link_libraries(test_study PRIVATE nlohmann_json::nlohmann_json ${HDF5_C_LIBRARIES})
endif()
