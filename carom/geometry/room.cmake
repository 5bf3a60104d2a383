# Convex hulls; a first normal for pairs of convex shapes.
find_package(QhullReentrant REQUIRED)
find_package(BulletDouble REQUIRED)
target_link_libraries(carom_geometry PRIVATE qhull::reentrant bullet::collision)
set_source_files_properties(${PROJECT_SOURCE_DIR}/carom/geometry/bullet_normal.cpp PROPERTIES
  COMPILE_DEFINITIONS BT_USE_DOUBLE_PRECISION)
