#include "carom/geometry/implicit/parametric_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

#include "carom/error.h"
#include "carom/numerics/least_squares.h"
#include "carom/numerics/solve_three.h"
#include "carom/numerics/symmetric_spectrum.h"

namespace carom {
namespace {

constexpr int around = 48, along = 24;  // samples
constexpr double pole_radius = 1e-7;    // of the size

Mat2 inverse_of(double aa, double ab, double bb) {
  const double det = aa * bb - ab * ab;
  Mat2 inverse;
  inverse << bb / det, -ab / det, -ab / det, aa / det;
  return inverse;
}

}  // namespace

SheetPoint ParametricSheet::at(double a, double b) const {
  const Vec3 parameters = swapped_ ? Vec3(b, a, 0) : Vec3(a, b, 0);
  const int i = swapped_ ? 1 : 0, j = 1 - i;
  SheetPoint p;
  for (int k = 0; k < 3; ++k) {
    const SurfaceJet jet = FormulaSurface{formulas_.of[static_cast<std::size_t>(k)]}.jet(parameters);
    p.x[k] = jet.value;
    p.by_a[k] = jet.gradient[i];
    p.by_b[k] = jet.gradient[j];
    p.by_aa[k] = jet.hessian(i, i);
    p.by_ab[k] = jet.hessian(0, 1);
    p.by_bb[k] = jet.hessian(j, j);
  }
  return p;
}

std::string ParametricSheet::place(double a, double b) const {
  std::ostringstream text;
  text.precision(4);
  text << "u = " << (swapped_ ? b : a) << ", v = " << (swapped_ ? a : b);
  return text.str();
}

/// True if the surface meets itself around and shrinks to a point at both ends.
bool ParametricSheet::closes() const {
  double size = 0, open = 0;
  const Vec3 middle = point(0.5 * (a_[0] + a_[1]), 0.5 * (b_[0] + b_[1]));
  for (int k = 0; k <= along; ++k) {
    const double b = b_[0] + (b_[1] - b_[0]) * k / along;
    const Vec3 first = point(a_[0], b);
    size = std::max(size, (first - middle).norm());
    open = std::max(open, (first - point(a_[1], b)).norm());
  }
  for (const double b : b_) {
    const Vec3 pole = point(a_[0], b);
    for (int k = 1; k < around; ++k) {
      open = std::max(open, (point(a_[0] + (a_[1] - a_[0]) * k / around, b) - pole).norm());
    }
  }
  return open <= 1e-9 * size;
}

Vec3 ParametricSheet::normal_at(const SheetPoint& p) const { return sign_ * p.by_a.cross(p.by_b).normalized(); }

Mat3 ParametricSheet::curvature_at(const SheetPoint& p, const Vec3& normal) {
  Eigen::Matrix<double, 3, 2> T;
  T << p.by_a, p.by_b;
  const Mat2 metric = inverse_of(p.by_a.squaredNorm(), p.by_a.dot(p.by_b), p.by_b.squaredNorm());
  Mat2 bend;
  bend << p.by_aa.dot(normal), p.by_ab.dot(normal), p.by_ab.dot(normal), p.by_bb.dot(normal);
  return -T * metric * bend * metric * T.transpose();
}

void ParametricSheet::sample() {
  samples_.clear();
  parameters_.clear();
  center_.setZero();
  double widest = 0, narrowest = std::numeric_limits<double>::infinity();
  std::array<double, 2> narrow{};
  for (int j = 0; j < along; ++j) {
    for (int i = 0; i < around; ++i) {
      const double a = a_[0] + (a_[1] - a_[0]) * (i + 0.5) / around, b = b_[0] + (b_[1] - b_[0]) * (j + 0.5) / along;
      const SheetPoint p = at(a, b);
      const bool sound = p.x.allFinite() && p.by_a.allFinite() && p.by_b.allFinite() && p.by_aa.allFinite() &&
                         p.by_ab.allFinite() && p.by_bb.allFinite();
      if (!sound) throw Error("the surface has no value or no derivative at " + place(a, b));
      const double area = p.by_a.cross(p.by_b).norm();
      widest = std::max(widest, area);
      if (area < narrowest) {
        narrowest = area;
        narrow = {a, b};
      }
      samples_.push_back(p.x);
      parameters_.push_back({a, b});
      center_ += p.x / (around * along);
    }
  }
  if (!(narrowest > 1e-6 * widest)) {
    throw Error("the surface is not regular at " + place(narrow[0], narrow[1]) +
                ": its curves of equal u and equal v must cross there at an angle; only at its two ends it may shrink "
                "to a point");
  }
  size_ = 0;
  for (const Vec3& x : samples_) size_ = std::max(size_, (x - center_).norm());
  const SheetPoint first = at(parameters_[0][0], parameters_[0][1]);
  sign_ = 1;
  if (normal_at(first).dot(first.x - center_) < 0) sign_ = -1;
}

void ParametricSheet::check_seam() const {
  for (int k = 0; k < along; ++k) {
    const double b = b_[0] + (b_[1] - b_[0]) * (k + 0.5) / along;
    const SheetPoint from = at(a_[0], b), to = at(a_[1], b);
    const Vec3 n = normal_at(from), m = normal_at(to);
    const Mat3 bend = curvature_at(from, n), other = curvature_at(to, m);
    if (!((n - m).norm() < 1e-6) || !((bend - other).norm() <= 1e-5 * (bend.norm() + 1 / size_))) {
      throw Error("the surface is not smooth where it meets itself, at " + place(a_[0], b) +
                  ": its normal and its curvature must be the same at both ends of " + (swapped_ ? "v" : "u"));
    }
  }
}

void ParametricSheet::make_pole(int which) {
  Pole& pole = poles_[static_cast<std::size_t>(which)];
  pole.end = b_[static_cast<std::size_t>(which)];
  pole.inwards = which == 0 ? 1 : -1;
  pole.point = point(a_[0], pole.end);
  const auto count = pole.directions.size();
  const auto parameter = [&](std::size_t k) {
    return a_[0] + (a_[1] - a_[0]) * static_cast<double>(k) / static_cast<double>(count);
  };
  const std::string where =
      "its end " + place(a_[0], pole.end).substr(swapped_ ? 0 : place(a_[0], pole.end).find("v ="));
  for (std::size_t k = 0; k < count; ++k) {
    const SheetPoint p = at(parameter(k), pole.end);
    const double speed = p.by_b.norm();
    if (!p.by_bb.allFinite() || !(speed * (b_[1] - b_[0]) > 1e-6 * size_) || !std::isfinite(speed)) {
      throw Error("the surface has no slope at " + place(parameter(k), pole.end) +
                  ", where it shrinks to a point: write it by angles, as cos(v) and sin(v), so that it moves on from "
                  "there at a finite rate");
    }
    pole.directions[k] = pole.inwards * p.by_b / speed;
  }
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < count; ++k) sum += pole.directions[k].cross(pole.directions[(k + 1) % count]);
  pole.normal = sum.normalized();
  if (pole.normal.dot(pole.point - center_) < 0) pole.normal = -pole.normal;
  MatrixX A(static_cast<Eigen::Index>(count), 3);
  VectorX bends(static_cast<Eigen::Index>(count));
  const Vec3 s = pole.normal.unitOrthogonal(), t = pole.normal.cross(s);
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3& d = pole.directions[k];
    if (!(std::abs(d.dot(pole.normal)) < 1e-6)) {
      throw Error("the surface has a tip at " + where + ": it must leave that point at right angles to one normal");
    }
    const SheetPoint p = at(parameter(k), pole.end);
    const auto row = static_cast<Eigen::Index>(k);
    A.row(row) << d.dot(s) * d.dot(s), 2 * d.dot(s) * d.dot(t), d.dot(t) * d.dot(t);
    bends[row] = -p.by_bb.dot(pole.normal) / p.by_b.squaredNorm();
  }
  const VectorX fit = least_squares(A, bends);
  if (!((A * fit - bends).cwiseAbs().maxCoeff() <= 1e-6 * (bends.cwiseAbs().maxCoeff() + 1 / size_))) {
    throw Error("the surface is not smooth at " + where +
                ": the curvatures of the curves through that point are not those of one surface");
  }
  pole.curvature =
      fit[0] * s * s.transpose() + fit[1] * (s * t.transpose() + t * s.transpose()) + fit[2] * t * t.transpose();
}

void ParametricSheet::check_convexity() const {
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const SheetPoint p = at(parameters_[i][0], parameters_[i][1]);
    const Vec3 n = normal_at(p);
    const std::string where = place(parameters_[i][0], parameters_[i][1]);
    const Vec3 bends = three_spectrum(curvature_at(p, n)).values;
    const double scale = bends.cwiseAbs().maxCoeff() + 1 / size_;
    bool bulges = n.dot(p.x - center_) > 0 && bends[0] >= -1e-8 * scale;
    for (const Vec3& other : samples_) bulges = bulges && n.dot(other - p.x) <= 1e-9 * size_;
    if (!bulges) {
      throw Error("the surface is not convex: at " + where +
                  " it bends inwards or a part of it lies in front of its tangent plane. Make the body of several "
                  "convex shapes");
    }
  }
}

ParametricSheet::ParametricSheet(const ParametricFormulas& formulas) : formulas_(formulas) {
  for (const auto& [name, range] : {std::pair{"u", formulas.u}, std::pair{"v", formulas.v}}) {
    if (std::isfinite(range[0]) && std::isfinite(range[1]) && range[0] < range[1]) continue;
    throw Error(std::string("the range of ") + name + " must go from a number to a greater one");
  }
  bool closed = false;
  for (const bool swapped : {false, true}) {
    swapped_ = swapped;
    a_ = swapped ? formulas.v : formulas.u;
    b_ = swapped ? formulas.u : formulas.v;
    closed = closes();
    if (closed) break;
  }
  if (!closed) {
    throw Error(
        "the surface is not closed: one parameter must run around, with the same point at both ends of its range, and "
        "at "
        "both ends of the other one's range the surface must shrink to a point, as with u from 0 to 2 pi and v from "
        "-pi/2 to pi/2 on a ball");
  }
  sample();
  check_seam();
  make_pole(0);
  make_pole(1);
  check_convexity();
}

/// The projection within `pole_radius` of a pole, no farther than `least`.
bool ParametricSheet::project_at_pole(const Pole& pole, const Vec3& x, double least, Projection& found) const {
  const Vec3 y = x - pole.point, across = y - pole.normal.dot(y) * pole.normal;
  double height = pole.normal.dot(y);
  Vec3 t = Vec3::Zero();
  for (int k = 0; k < 4; ++k) {
    t = solve_three(Mat3::Identity() + height * pole.curvature, across);
    height = pole.normal.dot(y) + 0.5 * t.dot(pole.curvature * t);
  }
  if (!(t.norm() < pole_radius * size_) || !(std::abs(height) <= least * (1 + 1e-9) + 1e-9 * size_)) return false;
  found.normal = (pole.normal + pole.curvature * t).normalized();
  found.point = pole.point + t - 0.5 * t.dot(pole.curvature * t) * pole.normal;
  found.distance = found.normal.dot(x - found.point);
  found.curvature = pole.curvature;
  return true;
}

/// Over a pole the way goes on along another curve of equal a. False if there is none: the pole itself is the nearest.
bool ParametricSheet::leave_pole(const Vec3& x, double& a, double& b) const {
  const Pole& pole = std::abs(b - b_[0]) < std::abs(b - b_[1]) ? poles_[0] : poles_[1];
  std::size_t best = 0;
  double most = 0;
  for (std::size_t k = 0; k < pole.directions.size(); ++k) {
    const double value = pole.directions[k].dot(x - pole.point);
    if (value <= most) continue;
    most = value;
    best = k;
  }
  if (!(most > 1e-12 * size_)) return false;
  a = a_[0] + (a_[1] - a_[0]) * static_cast<double>(best) / static_cast<double>(pole.directions.size());
  const double speed = at(a, pole.end).by_b.norm();
  b = pole.end + pole.inwards * std::clamp(most / speed, 1e-12 * (b_[1] - b_[0]), 0.25 * (b_[1] - b_[0]) / along);
  return true;
}

/// To the nearest point from a start. False if it does not settle.
bool ParametricSheet::descend(const Vec3& x, double a, double b, Projection& found) const {
  constexpr int most = 80;
  const double period = a_[1] - a_[0];
  SheetPoint p = at(a, b);
  double cost = (x - p.x).squaredNorm(), damping = 0;
  int rises = 0;
  for (int k = 0; k < most; ++k) {
    const Vec3 r = x - p.x;
    const double E = p.by_a.squaredNorm(), G = p.by_b.squaredNorm();
    const Vec2 slope(r.dot(p.by_a), r.dot(p.by_b));
    const double aside = std::sqrt(slope[0] * slope[0] / E + slope[1] * slope[1] / G);
    if (!std::isfinite(aside)) return false;
    const bool settled = aside <= 1e-15 * size_ || (rises > 3 && aside <= 1e-12 * (size_ + r.norm()));
    if (settled) {
      found.normal = normal_at(p);
      found.point = p.x;
      found.distance = found.normal.dot(r);
      found.curvature = curvature_at(p, found.normal);
      return true;
    }
    double aa = E - r.dot(p.by_aa), bb = G - r.dot(p.by_bb);
    const double ab = p.by_a.dot(p.by_b) - r.dot(p.by_ab);
    // Levenberg's: in units of the metric the least eigenvalue must be above zero.
    const double scaled_aa = aa / E, scaled_bb = bb / G, scaled_ab = ab / std::sqrt(E * G);
    const double mean = 0.5 * (scaled_aa + scaled_bb);
    const double least = mean - std::hypot(0.5 * (scaled_aa - scaled_bb), scaled_ab);
    const double shift = std::max(damping, least < 1e-3 ? 1e-3 + std::abs(least) : 0.0);
    aa += shift * E;
    bb += shift * G;
    const Vec2 change = inverse_of(aa, ab, bb) * slope;
    double next_a = a + std::clamp(change[0], -period / 8, period / 8);
    double next_b = b + std::clamp(change[1], -(b_[1] - b_[0]) / 8, (b_[1] - b_[0]) / 8);
    if (next_b <= b_[0] || next_b >= b_[1]) {
      next_b = std::clamp(next_b, b_[0], b_[1]);
      if (!leave_pole(x, next_a, next_b)) return false;
    }
    next_a -= period * std::floor((next_a - a_[0]) / period);
    const SheetPoint next = at(next_a, next_b);
    const double next_cost = (x - next.x).squaredNorm();
    if (next_cost <= cost * (1 + 1e-14)) {
      rises = next_cost < cost * (1 - 1e-14) ? 0 : rises + 1;
      a = next_a;
      b = next_b;
      p = next;
      cost = next_cost;
      damping *= 0.1;
      if (damping < 1e-4) damping = 0;
    } else {
      damping = std::max(4 * damping, 1e-2);
      ++rises;
    }
  }
  return false;
}

ParametricSheet::Projection ParametricSheet::project(const Vec3& x) const {
  // The nearest sample of each quarter of the surface, the nearest of all first.
  constexpr std::size_t parts = 4;
  std::array<std::size_t, parts> starts{};
  std::array<double, parts> squares;
  squares.fill(std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const std::size_t part = (i % around) * parts / around;
    const double square = (samples_[i] - x).squaredNorm();
    if (square >= squares[part]) continue;
    squares[part] = square;
    starts[part] = i;
  }
  const auto nearest = static_cast<std::size_t>(std::min_element(squares.begin(), squares.end()) - squares.begin());
  const double least = std::sqrt(squares[nearest]);
  Projection found;
  for (const Pole& pole : poles_) {
    if (project_at_pole(pole, x, least, found)) return found;
  }
  // Outside, and near the surface, the nearest is the one that its nearest sample leads to.
  const bool first = descend(x, parameters_[starts[nearest]][0], parameters_[starts[nearest]][1], found);
  if (first && found.distance > -0.05 * size_) return found;
  bool any = first;
  for (std::size_t part = 0; part < parts; ++part) {
    Projection other;
    if (part == nearest || !descend(x, parameters_[starts[part]][0], parameters_[starts[part]][1], other)) continue;
    if (!any || std::abs(other.distance) < std::abs(found.distance)) found = other;
    any = true;
  }
  if (any) return found;
  // The nearest sample stands for a point that no descent settles.
  const auto& [a, b] = parameters_[starts[nearest]];
  const SheetPoint p = at(a, b);
  found.normal = normal_at(p);
  found.point = p.x;
  found.distance = found.normal.dot(x - p.x);
  found.curvature = curvature_at(p, found.normal);
  return found;
}

namespace {

/// Nodes and weights of Gauss and Legendre on [−1, 1], by the eigenvalues of Jacobi's matrix (Golub and Welsch 1969).
void gauss_legendre(int n, VectorX& nodes, VectorX& weights) {
  MatrixX jacobi = MatrixX::Zero(n, n);
  for (int k = 1; k < n; ++k) jacobi(k, k - 1) = jacobi(k - 1, k) = k / std::sqrt(4.0 * k * k - 1);
  const Spectrum spectrum = symmetric_spectrum(jacobi);
  nodes = spectrum.values;
  weights = 2 * spectrum.vectors.row(0).transpose().cwiseAbs2();
}

}  // namespace

Eigen::Matrix<double, 10, 1> ParametricSheet::moments() const {
  using Moments = Eigen::Matrix<double, 10, 1>;
  Moments last = Moments::Zero();
  double change = std::numeric_limits<double>::infinity();
  for (int n = 32; n <= 512; n *= 2) {
    VectorX nodes, weights;
    gauss_legendre(std::min(n, 128), nodes, weights);
    const int panels = std::max(1, n / 128);
    Moments sum = Moments::Zero();
    for (int panel = 0; panel < panels; ++panel) {
      const double from = b_[0] + (b_[1] - b_[0]) * panel / panels, half = (b_[1] - b_[0]) / (2 * panels);
      for (Eigen::Index j = 0; j < nodes.size(); ++j) {
        for (int i = 0; i < n; ++i) {
          const SheetPoint p = at(a_[0] + (a_[1] - a_[0]) * i / n, from + half * (1 + nodes[j]));
          const Vec3 y = p.x - center_;
          const double cone = sign_ * y.dot(p.by_a.cross(p.by_b)) * weights[j] * half * (a_[1] - a_[0]) / n;
          Moments at_point;
          at_point << 1.0 / 3, y / 4, y.cwiseAbs2() / 5, y.y() * y.z() / 5, y.z() * y.x() / 5, y.x() * y.y() / 5;
          sum += cone * at_point;
        }
      }
    }
    Moments scale;
    scale << 1, Vec3::Constant(size_), Vec6::Constant(size_ * size_);
    change = (sum - last).cwiseQuotient(scale).cwiseAbs().maxCoeff() / sum[0];
    last = sum;
    if (change < 1e-11) break;
  }
  if (!(change < 1e-6)) {
    throw Error("the inertia of a parametric shape is not found to six digits; give its body a mass and an inertia");
  }
  return last;
}

SurfaceJet ParametricSurface::jet(const Vec3& x) const {
  const ParametricSheet::Projection near = sheet->project(x);
  const double f = near.distance;
  // Beyond a centre of curvature the point is not the nearest: the Hessian stays bounded there.
  constexpr double least = 1e-3;
  if (f < 0 && -f * near.curvature.norm() > 1 - least) {
    const ThreeSpectrum bends = three_spectrum(near.curvature);
    const Vec3& k = bends.values;
    const Vec3 bent = k.cwiseQuotient((Vec3::Ones() + f * k).cwiseMax(least));
    return {f, near.normal, bends.vectors * bent.asDiagonal() * bends.vectors.transpose()};
  }
  const Mat3 hessian = solve_three(Mat3::Identity() + f * near.curvature, near.curvature);
  return {f, near.normal, 0.5 * (hessian + hessian.transpose())};
}

std::string ParametricSurface::fault() const { return sheet ? std::string() : "it has no surface"; }

}  // namespace carom
