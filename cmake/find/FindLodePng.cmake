# LodePNG, which reads PNG images: target lodepng::lodepng. Debian's package has no files for CMake.
find_library(LODEPNG lodepng)
find_path(LODEPNG_INCLUDE lodepng.h)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LodePng REQUIRED_VARS LODEPNG LODEPNG_INCLUDE)
mark_as_advanced(LODEPNG LODEPNG_INCLUDE)
if(LodePng_FOUND AND NOT TARGET lodepng::lodepng)
  add_library(lodepng::lodepng UNKNOWN IMPORTED)
  set_target_properties(lodepng::lodepng PROPERTIES IMPORTED_LOCATION ${LODEPNG}
    INTERFACE_INCLUDE_DIRECTORIES ${LODEPNG_INCLUDE})
endif()
