# Convex hulls; a first normal for pairs of convex shapes. Bullet's own CMake files describe its single-precision build.
find_library(QHULL_R qhull_r REQUIRED)
find_path(BULLET_INCLUDE BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h PATH_SUFFIXES bullet REQUIRED)
find_library(BULLET_COLLISION BulletCollision-float64 REQUIRED)
find_library(BULLET_MATH LinearMath-float64 REQUIRED)
target_link_libraries(carom_geometry PRIVATE ${QHULL_R} ${BULLET_COLLISION} ${BULLET_MATH})
target_include_directories(carom_geometry SYSTEM PRIVATE ${BULLET_INCLUDE})
set_source_files_properties(${PROJECT_SOURCE_DIR}/carom/geometry/bullet_normal.cpp PROPERTIES
  COMPILE_DEFINITIONS BT_USE_DOUBLE_PRECISION)
