# oneTBB works on the assemblies of a level on several threads; only levels.cpp sees its headers.
target_link_libraries(carom_dynamics PRIVATE TBB::tbb)
if(CAROM_TESTS)
  target_link_libraries(test_dynamics PRIVATE carom_test_models)
endif()
