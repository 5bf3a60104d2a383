if(TARGET test_stepper)
  target_sources(test_stepper PRIVATE ${PROJECT_SOURCE_DIR}/carom/dynamics/test/allocation_count.cpp)
endif()
