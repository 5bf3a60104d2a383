#include "carom/study/fitted_order.h"

#include <cmath>
#include <limits>

namespace carom {

double fitted_order(const std::vector<double>& x, const std::vector<double>& values) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!(values[k] > 0) || !std::isfinite(values[k])) continue;
    const double a = std::log(x[k]), b = std::log(values[k]);
    n += 1;
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  return n < 2 ? std::numeric_limits<double>::quiet_NaN() : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace carom
