#pragma once

#include <sstream>
#include <string>

#include "carom/spatial/types.h"

namespace carom::python {

/// "[0, 0, 0.05]"
template <class Vector>
std::string text_of(const Vector& vector) {
  std::ostringstream text;
  text << "[";
  for (Eigen::Index i = 0; i < vector.size(); ++i) text << (i == 0 ? "" : ", ") << vector[i];
  text << "]";
  return text.str();
}

}  // namespace carom::python
