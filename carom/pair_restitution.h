#pragma once

#include <algorithm>
#include <concepts>
#include <memory>

#include "carom/combination.h"
#include "carom/restitution.h"

namespace carom {

/// Coefficient of restitution of two surfaces that meet, as a function of the approach speed s. It is e(s) =
/// combine(rule, e_A(s), e_B(s)), or one law of the pair's own. A change that does not depend on the speed (that of the
/// place) is added, and the sum clamped to [0, 1].
///
/// A small value, copied for every contact of every step. Copies share the curves, which never change, so copying does
/// not allocate. Nor does construction from constants. Values are compared by what the laws say, not by address.
class PairRestitution {
 public:
  PairRestitution() = default;  ///< nothing rebounds
  /// The law itself; a number is a constant one.
  template <class Law>
  requires(!std::same_as<Law, PairRestitution> && std::convertible_to<const Law&, Restitution>)
      PairRestitution(const Law& law) {
    const Restitution own(law);
    if (const auto* constant = std::get_if<ConstantRestitution>(&own)) {
      constant_ = constant->e;
    } else {
      curves_ = std::make_shared<const Curves>(Curves{Combination::minimum, own, own});
    }
  }
  PairRestitution(Combination rule, const Restitution& a, const Restitution& b) {
    const auto *of_a = std::get_if<ConstantRestitution>(&a), *of_b = std::get_if<ConstantRestitution>(&b);
    if (of_a && of_b) {
      constant_ = combine(rule, of_a->e, of_b->e);
    } else {
      curves_ = std::make_shared<const Curves>(Curves{rule, a, b});
    }
  }

  /// e at the approach speed s ≥ 0, m/s (rad/s for a joint's limit).
  double at(double s) const {
    const double e =
        curves_ ? combine(curves_->rule, restitution_at(curves_->a, s), restitution_at(curves_->b, s)) : constant_;
    return change_ == 0 ? e : std::clamp(e + change_, 0.0, 1.0);
  }
  /// The same with `change` more at every speed.
  PairRestitution changed_by(double change) const {
    PairRestitution changed = *this;
    changed.change_ += change;
    return changed;
  }
  /// The same e at every speed.
  bool is_constant() const { return !curves_; }
  /// False only if e = 0 at every approach speed above 0.
  bool may_bounce() const {
    if (!curves_) return constant_ + change_ > 0;
    if (change_ > 0) return true;
    const bool a = carom::may_bounce(curves_->a), b = carom::may_bounce(curves_->b);
    const bool either = curves_->rule == Combination::maximum || curves_->rule == Combination::average;
    return either ? a || b : a && b;
  }

  friend bool operator==(const PairRestitution& x, const PairRestitution& y) {
    if (x.change_ != y.change_) return false;
    if (x.curves_ == y.curves_) return x.constant_ == y.constant_;
    return x.curves_ && y.curves_ && *x.curves_ == *y.curves_;
  }

 private:
  struct Curves {
    Combination rule;
    Restitution a, b;
    bool operator==(const Curves&) const = default;
  };
  double constant_ = 0;  // where there are no curves
  double change_ = 0;
  std::shared_ptr<const Curves> curves_;
};

}  // namespace carom
