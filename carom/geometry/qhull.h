#pragma once

#include <cstdio>
#include <memory>
#include <string>

struct qhT;  // of libqhull_r, whose C++ interface does not compile as C++20

namespace carom {

/// Qhull's state, released whichever way the hull ends.
class Qhull {
 public:
  Qhull();
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;
  ~Qhull();

  /// coordinates: count · dimension, point by point; they must outlive the state. options: "qhull …". False if Qhull
  /// refuses the points.
  bool run(int dimension, int count, double* coordinates, std::string options);
  qhT* state() { return state_.get(); }

 private:
  struct FileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, FileCloser> log_;
  std::unique_ptr<qhT> state_;
};

}  // namespace carom
