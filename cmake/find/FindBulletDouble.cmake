# Bullet in double precision: targets bullet::collision and, of COMPONENTS dynamics, bullet::dynamics. Bullet's own files
# for CMake describe its build in single precision.
find_path(BULLET_INCLUDE BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h PATH_SUFFIXES bullet)
find_library(BULLET_MATH LinearMath-float64)
find_library(BULLET_COLLISION BulletCollision-float64)
if("dynamics" IN_LIST BulletDouble_FIND_COMPONENTS)
  find_library(BULLET_DYNAMICS BulletDynamics-float64)
  set(BulletDouble_dynamics_FOUND ${BULLET_DYNAMICS})
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(BulletDouble REQUIRED_VARS BULLET_COLLISION BULLET_MATH BULLET_INCLUDE
  HANDLE_COMPONENTS)
mark_as_advanced(BULLET_INCLUDE BULLET_MATH BULLET_COLLISION BULLET_DYNAMICS)
if(BulletDouble_FOUND AND NOT TARGET bullet::collision)
  add_library(bullet::collision UNKNOWN IMPORTED)
  set_target_properties(bullet::collision PROPERTIES IMPORTED_LOCATION ${BULLET_COLLISION}
    INTERFACE_LINK_LIBRARIES ${BULLET_MATH} INTERFACE_INCLUDE_DIRECTORIES ${BULLET_INCLUDE})
endif()
if(BulletDouble_FOUND AND BULLET_DYNAMICS AND NOT TARGET bullet::dynamics)
  add_library(bullet::dynamics UNKNOWN IMPORTED)
  set_target_properties(bullet::dynamics PROPERTIES IMPORTED_LOCATION ${BULLET_DYNAMICS}
    INTERFACE_LINK_LIBRARIES bullet::collision)
endif()
