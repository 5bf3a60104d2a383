find_package(fmt REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(nlohmann_json REQUIRED)
find_package(NLoptCxx REQUIRED)
# Headers alone: Sobol's sequence and the inverse of the normal distribution.
find_package(Boost REQUIRED)
target_link_libraries(carom_study PUBLIC nlohmann_json::nlohmann_json
  PRIVATE fmt::fmt hdf5::hdf5 nlopt::cxx Boost::headers TBB::tbb)
if(TARGET test_study)  # its tests read tables and JSON
  target_link_libraries(test_study PRIVATE nlohmann_json::nlohmann_json hdf5::hdf5)
endif()
