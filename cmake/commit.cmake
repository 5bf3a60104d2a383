# Writes OUTPUT, a C++ source with the commit of the sources in SOURCE and its date; it is left alone where they are in it.
# A clone asks git. A source archive (git archive, make package) has both in cmake/commit.txt. Others know none.
set(commit "unknown")
set(date "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  set(in_source WORKING_DIRECTORY ${SOURCE} ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${GIT} --no-optional-locks describe --always --abbrev=12 "--exclude=*" "--dirty= with changes"
    OUTPUT_VARIABLE described ${in_source})
  execute_process(COMMAND ${GIT} log -1 --format=%cs OUTPUT_VARIABLE day ${in_source})
else()
  file(STRINGS ${SOURCE}/cmake/commit.txt line REGEX "^[0-9a-f]+ ")
  string(REGEX REPLACE " .*" "" described "${line}")
  string(SUBSTRING "${described}" 0 12 described)
  string(REGEX REPLACE ".* " "" day "${line}")
endif()
if(described)
  set(commit "${described}")
  set(date "${day}")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "commit.h"
namespace carom {
const char* const commit = "@commit@";
const char* const commit_date = "@date@";
}  // namespace carom
]])
