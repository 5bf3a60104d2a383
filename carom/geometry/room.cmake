# Convex hulls.
find_library(QHULL_R qhull_r REQUIRED)
target_link_libraries(carom_geometry PRIVATE ${QHULL_R})
