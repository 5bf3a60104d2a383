# Tests of the sources themselves: the arrows between rooms and the other rules of the house, and the formatting.
add_test(NAME house COMMAND ${CAROM_PYTHON} scripts/check_house.py)
add_test(NAME house:rules COMMAND ${CAROM_PYTHON} -B scripts/test/check_house_test.py)
add_test(NAME house:batches COMMAND ${CAROM_PYTHON} -B scripts/test/batched_suite_test.py)
add_test(NAME house:hashes COMMAND ${CAROM_PYTHON} -B scripts/test/hash_results_test.py)
add_test(NAME house:format COMMAND scripts/format.sh --check)
set_tests_properties(house house:rules house:batches house:hashes house:format PROPERTIES LABELS house
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
