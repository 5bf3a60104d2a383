#include "aside.h"

#include <utility>

namespace carom::python {

namespace py = pybind11;

void Watch::tell(const std::string& what, double share) {
  const std::lock_guard<std::mutex> lock(telling_);
  what_ = what;
  share_ = share;
  news_ = true;
}

void Watch::tell(double share) {
  const std::lock_guard<std::mutex> lock(telling_);
  share_ = share;
  news_ = true;
}

void Watch::call_progress() {
  std::string what;
  double share = 0;
  {
    const std::lock_guard<std::mutex> lock(telling_);
    if (!std::exchange(news_, false)) return;
    what = what_;
    share = share_;
  }
  progress_(share, what);
}

void Watch::look_after(const std::function<bool()>& ready) {
  const py::gil_scoped_release unlocked;
  while (!ready()) {
    if (stopped_) continue;
    if (!interrupt_.asked() && !progress_.is_none()) {
      const py::gil_scoped_acquire lock;
      interrupt_.guard([this] { call_progress(); });
    }
    stopped_ = interrupt_.is_raised();
  }
}

}  // namespace carom::python
