#pragma once

namespace carom {

/// The commit that the command was built from, "with changes" behind it where the sources had some; "unknown" outside a
/// clone and a source archive. cmake/commit.cmake writes the source of both.
extern const char* const commit;
/// The day of that commit, as 2026-11-25; empty for an unknown one.
extern const char* const commit_date;

}  // namespace carom
