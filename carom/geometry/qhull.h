#pragma once

#include <libqhull_r/qhull_ra.h>

#include <cstdio>
#include <memory>
#include <string>

namespace carom {

/// Qhull's state, released whichever way the hull ends. Its C interface: the C++ one does not compile as C++20.
class Qhull {
 public:
  Qhull() : log_(std::tmpfile()) { qh_zero(&state_, log_.get()); }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;
  ~Qhull() {
    qh_freeqhull(&state_, !qh_ALL);
    int current = 0, total = 0;
    qh_memfreeshort(&state_, &current, &total);
  }
  /// coordinates: count · dimension, point by point; they must outlive the state. options: "qhull …". False if Qhull
  /// refuses the points.
  bool run(int dimension, int count, double* coordinates, std::string options) {
    return log_ && qh_new_qhull(&state_, dimension, count, coordinates, False, options.data(), nullptr, log_.get()) == 0;
  }
  qhT* state() { return &state_; }

 private:
  struct FileCloser {
    void operator()(FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<FILE, FileCloser> log_;
  qhT state_;
};

}  // namespace carom
