#include "carom/geometry/qhull.h"

#include <libqhull_r/qhull_ra.h>

namespace carom {

Qhull::Qhull() : log_(std::tmpfile()), state_(std::make_unique<qhT>()) { qh_zero(state_.get(), log_.get()); }

Qhull::~Qhull() {
  qh_freeqhull(state_.get(), !qh_ALL);
  int current = 0, total = 0;
  qh_memfreeshort(state_.get(), &current, &total);
}

bool Qhull::run(int dimension, int count, double* coordinates, std::string options) {
  return log_ &&
         qh_new_qhull(state_.get(), dimension, count, coordinates, False, options.data(), nullptr, log_.get()) == 0;
}

}  // namespace carom
