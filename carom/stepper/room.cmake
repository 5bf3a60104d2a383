if(CAROM_TESTS)
  target_link_libraries(test_stepper PRIVATE carom_test_models)
endif()
