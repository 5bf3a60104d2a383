#pragma once

#include <vector>

#include "carom/complementarity/cone/cone_system.h"
#include "carom/complementarity/linear/partial_lu.h"

namespace carom {

/// Contact problems with the exact cone along a path of smooth ones. This is for starts from which Newton's method does
/// not find its states. In units in which every contact is the unit cone K (one_contact.h), the problem is p = P_K(p −
/// y / a). Here y = (u_n + offset + s, E u_f) with De Saxcé's term s = ‖E u_f‖. Its smooth neighbour of width ε is
///
///     F_ε(p) = p − P_ε(p − y / a) = 0,   P_ε: λ₊ of the spectral values becomes (λ + √(λ² + 4 ε²)) / 2,
///                                        s becomes √(‖E u_f‖² + (a ε)²) − a ε
///
/// The solutions have p and y inside K with p ∘ y = a ε² e. This is the central path of interior-point methods, but p
/// itself may be anywhere (Chen and Mangasarian 1996; Fukushima, Luo and Tseng 2002 for this cone). Newton's method
/// with line search on Σ a ‖F_ε‖² follows ε down. While steps are easy, ε falls faster. If they fail, it falls by
/// smaller factors from the last good point. Bounded rows are smoothed at both bounds. If a floor is owed, the normal
/// row has it, and friction has the cone of what comes on top. That is near enough for a start.
///
/// Cost of a step: 2/3 m³ for m unknowns, all rows with friction or normal.
class ConeSmoothing {
 public:
  void reserve(int blocks, int rows);

  /// Begins a path at p, with w = u + A p. Only with system.has_columns(), which must stay as it is until the path's
  /// end.
  void start(const ConeSystem& system, const double* p, const double* w);
  /// Goes on for at most max_steps. p, w: k, out: the best point of the path so far, w = u + A p.
  ConeProgress follow(const ConeSystem& system, double tolerance, int max_steps, double* p, double* w);

 private:
  struct Part {
    int first = 0, count = 0;             // of the unknowns
    double scale = 1;                     // a: mean diagonal in units of the unit cone
    double slope[16] = {}, slip[3] = {};  // derivatives of P_ε (column-major, 4 apart) and of s
  };
  /// Place on the path: width, the last width that was met, and the factor between widths.
  struct Path {
    double size = 1;  // of impulses
    double width = 0, good_width = 0, shrink = 0;
    double weight = 0;  // Σ a of all unknowns
    double merit = 0;
    int steps_here = 0;
    bool ended = false;
  };

  void lay_out(const ConeSystem& system);
  double evaluate(const ConeSystem& system, double epsilon, const double* p, const double* w);
  static double evaluate_cone(const OneContact& contact, double epsilon, const double* p, const double* velocity,
                              Part& part, double* F);
  void assemble(const ConeSystem& system);
  bool step(const ConeSystem& system);
  bool advance(const ConeSystem& system);

  int size_ = 0;
  std::vector<Part> parts_;
  Path path_;
  double least_ = 0;  // residual of best_
  std::vector<double> F_, work_, change_, response_, trial_, trial_w_;
  std::vector<double> point_, point_w_, good_, good_w_, best_, best_w_;
  PartialLu lu_;
};

}  // namespace carom
