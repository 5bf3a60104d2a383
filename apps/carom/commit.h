#pragma once

namespace carom {

/// The commit that the command was built from, followed by " with changes" if its sources had changes. It is "unknown"
/// outside a clone and a source archive. The source of both is written by cmake/commit.cmake.
extern const char* const commit;
/// The day of that commit, as 2026-11-25; empty for an unknown one.
extern const char* const commit_date;

}  // namespace carom
