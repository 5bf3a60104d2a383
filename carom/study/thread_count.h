#pragma once

namespace carom {

/// Threads of a task arena of TBB: those asked for, but no more than the process may run on, of which TBB warns. For 0
/// it leaves the choice to TBB.
int thread_count(int asked);

}  // namespace carom
