#pragma once

namespace carom {

/// Calls work(context, i) for i in [first, last), on several threads (oneTBB) where there are enough of them to pay.
/// Calls must not depend on each other; so the results do not depend on the number of threads.
void work_on_range(int first, int last, void (*work)(void* context, int i), void* context);

/// work(i) for all assemblies of one level.
template <typename Work>
void work_on_level(int first, int last, Work& work) {
  work_on_range(
      first, last, [](void* context, int i) { (*static_cast<Work*>(context))(i); }, &work);
}

}  // namespace carom
