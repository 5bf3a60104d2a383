if(CAROM_TESTS)
  target_link_libraries(test_dynamics PRIVATE carom_test_models)
endif()
