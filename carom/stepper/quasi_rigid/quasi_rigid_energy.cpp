// Keeps contacts from giving energy.
//
// The gap closes where the step ends. Where the normal turns on the way, the velocity along it there is not the mean
// rate of the gap, and so an impulse may do more work than its layers give back, of first order in h:
//
//     s p · ū(s) + ΔE > 0 with s = 1,    ū(s) = u_f + ½ s A p + half of what all the others do,
//
// u_f the velocity without contacts and ΔE the change of what the layers hold. Positions stay as they are. Of the
// impulse of such a contact the greatest part s is kept with which it gives nothing; one contact after another, as s
// only falls, until none gives any. So impulses stay in their friction ellipsoids and act on both bodies alike.

#include <cmath>

#include "carom/stepper/quasi_rigid/quasi_rigid_stepper.h"

namespace carom {
namespace {

constexpr int most_sweeps = 50;
constexpr double none = 1e-13;  // of the work and the change of energy: what round-off leaves

/// The greatest s ≤ most with a s² + b s + c ≤ 0, a > 0; where there is none in [0, most], the s of least value there.
double greatest_part(double a, double b, double c, double most) {
  const double least = -b / (2 * a), discriminant = b * b - 4 * a * c;
  const double root = discriminant > 0 ? least + std::sqrt(discriminant) / (2 * a) : least;
  return std::clamp(root, 0.0, most);
}

}  // namespace

/// Fills w_end_, the velocity at the end of the step, and of every element the part of its impulse that is kept.
void QuasiRigidStepper::take_back_gains() {
  struct Part {
    ContactElement* element;
    VectorX impulse, response;  // f and M⁻¹ f of the whole impulse
    double stored = 0;          // ΔE, J
  };
  std::vector<Part> parts;
  w_end_ = z_.head(w_start_.size());
  VectorX mean = w_end_;  // of the velocity before contacts and after them
  for (ContactElement& element : elements_) {
    element.kept = 1;
    const auto z = z_.segment(element.law_index(), element.law.size());
    // Of a layer told by levels the deflection is no length along n, and its energy none that p gives or takes.
    if (!(element.law.impulse(z)[2] > 0) || element.level != ClosestPointSystem::Level::none) continue;
    Part part{&element, VectorX::Zero(w_end_.size()), {}};
    problem_.add_impulse(element, z_, part.impulse);
    problem_.solve_mass(part.impulse, part.response);
    const ContactInput input = problem_.input(element, z_);
    part.stored = element.law.stored(element.law.end(input, z)) - element.law.stored(input.start);
    mean -= 0.5 * part.response;
    parts.push_back(std::move(part));
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!rows_[i].is_stop()) continue;
    f_rows_.setZero();
    QuasiRigidProblem::add_impulse(rows_[i], z_[problem_.row_index(i)], f_rows_);
    problem_.solve_mass(f_rows_, scratch_w_);
    mean -= 0.5 * scratch_w_;
  }
  bool gave = true;
  for (int sweep = 0; gave && sweep < most_sweeps; ++sweep) {
    gave = false;
    for (const Part& part : parts) {
      double& kept = part.element->kept;
      const double work = part.impulse.dot(mean), square = part.impulse.dot(part.response);
      if (kept * work + part.stored <= none * (kept * std::abs(work) + std::abs(part.stored)) || !(square > 0)) {
        continue;
      }
      const double next = greatest_part(0.5 * square, work - 0.5 * kept * square, part.stored, kept);
      gave = gave || next < kept;
      w_end_ -= (kept - next) * part.response;
      mean -= 0.5 * (kept - next) * part.response;
      kept = next;
    }
  }
}

}  // namespace carom
