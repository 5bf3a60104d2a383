# oneTBB solves islands on several threads; only contact_solver.cpp sees its headers.
target_link_libraries(carom_complementarity PRIVATE TBB::tbb)
if(TARGET test_complementarity)  # its tests limit the number of threads
  target_link_libraries(test_complementarity PRIVATE carom_problem_families TBB::tbb)
endif()
