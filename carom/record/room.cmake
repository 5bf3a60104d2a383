find_package(HDF5 REQUIRED COMPONENTS C)
target_include_directories(carom_record SYSTEM PRIVATE ${HDF5_C_INCLUDE_DIRS})
target_compile_definitions(carom_record PRIVATE ${HDF5_C_DEFINITIONS} CAROM_VERSION="${PROJECT_VERSION}")
target_link_libraries(carom_record PRIVATE ${HDF5_C_LIBRARIES})
