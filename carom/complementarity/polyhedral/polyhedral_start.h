#pragma once

#include <span>
#include <vector>

#include "carom/complementarity/polyhedral/lemke.h"
#include "carom/complementarity/polyhedral/stewart_trinkle_layout.h"

namespace carom {

/// Start of Lemke's path on a problem of Stewart and Trinkle. Memory is kept between calls; what is returned points
/// into it.
class PolyhedralStart {
 public:
  /// Every cone slides the way its velocity u_t points. There λ and one β are basic; where u_t = 0, their w are. The
  /// variable z₀ lifts every other row, as if all gaps opened at one speed and then less and less. So a contact that
  /// separates costs no pivot. Bounded rows start at rest, with an impulse between their bounds. So they take what they
  /// can before contacts do, and nothing where nothing moves. u: velocities of the contact rows.
  LcpStart sliding(const StewartTrinkleLayout& layout, const double* u);

  /// The basis that the impulses of an earlier solve of a problem with the same blocks indicate. An impulse that is
  /// zero or at its bound stays there, and a contact that pressed presses. Its friction is spread over the two
  /// generators beside it. Contacts without impulse slide as above, the way of u, the velocities with these impulses.
  /// The variable z₀ lifts only the rows whose values come out negative. So a basis that is still right costs no pivot.
  LcpStart from_impulse(const StewartTrinkleLayout& layout, const double* u, std::span<const double> impulse);

 private:
  void slide(const StewartTrinkleLayout& layout, const StewartTrinkleLayout::Part& part, const double* u);
  void bounded(const StewartTrinkleLayout::Part& part, int c, double impulse);
  void cone(const StewartTrinkleLayout& layout, const StewartTrinkleLayout::Part& part, const double* impulse);
  void clear(int size, double covering);
  void add(int z);

  std::vector<int> basic_;
  std::vector<double> covering_;
};

}  // namespace carom
