#pragma once

#include <string>
#include <utility>
#include <vector>

namespace carom {

/// A drawing in a plane, with equal scales along both axes; y points up. Colours are names of player/src/report.css.
struct Drawing {
  /// A point with a label. Marks that fall together share one label.
  struct Mark {
    double x = 0, y = 0;
    std::string label;  ///< empty for none
    std::string kind;   ///< of the legend: marks of one kind look alike
  };
  /// The look of marks of a kind.
  struct Kind {
    std::string name;
    std::string shape;  ///< dot, ring, square, diamond or cross
    std::string color;  ///< "c0" to "c10", "ink" or "muted"
  };
  struct Line {
    std::vector<std::pair<double, double>> points;
    std::string label;  ///< at its end; empty for none
    std::string style;  ///< thin, dashed, or area: closed and filled
  };
  struct Circle {
    double x = 0, y = 0, radius = 0;
  };
  std::string title;
  std::string unit;  ///< of both axes, for the bar that shows the scale
  std::vector<Kind> kinds;
  std::vector<Mark> marks;
  std::vector<Line> lines;
  std::vector<Circle> circles;
};

}  // namespace carom
