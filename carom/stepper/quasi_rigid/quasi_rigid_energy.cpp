// Keeps contacts from giving energy.
//
// Layers. A contact's layers store what pressed them in, δ, not how far its surfaces overlap. A contact that the last
// step did not know has d ≥ δ. One point may have become two, or another face of a body may be the nearest. Or a node
// of a patch came under a face from the side. Such a contact begins with slack d − δ_n, by which its layers give way
// later. Contacts of the same two bodies and materials that have ended press it in, as far as their energy goes:
//
//     δ ← δ + s (δ_d − δ),    the greatest s ≤ 1 with Σ E(δ) no more than the last step left,
//
// with δ_d at rest under the overlap. Pressed elements that go on have d = δ_n. If a run begins in overlap, all are
// pressed in: that energy is the scene's.
//
// Impulses. The gap closes where the step ends. If the normal turns on the way, the velocity along the final normal is
// not the mean rate of the gap. So an impulse may do more work than its layers give back, of first order in h:
//
//     s p · ū(s) + ΔE > 0 with s = 1,    ū(s) = u_f + ½ s A p + half of what all the others do,
//
// u_f is the velocity without contacts, and ΔE the change of what the layers store. Positions stay as they are. Such a
// contact keeps the greatest part s of its impulse with which it gives nothing. This is done for one contact after
// another, as s only falls, until none gives any. Contacts that go on taking from one another count as one. So impulses
// stay in their friction ellipsoids and act on both bodies alike. If others move the contact, perhaps no s takes all
// back. Its layers do not store the rest: they keep the part of their deflection that stores the work done on them, and
// slack.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "carom/stepper/quasi_rigid/quasi_rigid_stepper.h"

namespace carom {
namespace {

constexpr int most_sweeps = 50;
constexpr double none = 1e-13;        // of the work and the change of energy: round-off
constexpr double slack_seen = 1e-10;  // of the bodies' size

/// The greatest s ≤ most with a s² + b s + c ≤ 0, a > 0. If none is in [0, most], the s of least value there.
double greatest_part(double a, double b, double c, double most) {
  const double least = -b / (2 * a), discriminant = b * b - 4 * a * c;
  const double root = discriminant > 0 ? least + std::sqrt(discriminant) / (2 * a) : least;
  return std::clamp(root, 0.0, most);
}

/// The greatest x of [0, 1] with energy(x) ≤ most, of an energy that rises with x from below most.
template <typename Energy>
double greatest_share(const Energy& energy, double most) {
  if (energy(1.0) <= most) return 1;
  double low = 0, high = 1;
  constexpr int bisections = 60;
  for (int i = 0; i < bisections; ++i) {
    const double middle = 0.5 * (low + high);
    (energy(middle) <= most ? low : high) = middle;
  }
  return low;
}

/// True if work and a change of energy are together more than round-off.
bool gives(double work, double stored) { return work + stored > none * (std::abs(work) + std::abs(stored)); }

LayerDeflections between(const LayerDeflections& from, const LayerDeflections& to, double part) {
  LayerDeflections result;
  for (std::size_t side = 0; side < 2; ++side) result.of[side] = from.of[side] + part * (to.of[side] - from.of[side]);
  return result;
}

/// Start of an element with its layers pressed in as far as its overlap, towards their deflections under one common
/// force. None of them becomes less than before.
LayerDeflections pressed_further(const ContactElement& element) {
  const LayerDeflections at_rest = element.law.pressed_in(element.depth);
  const double missing = (at_rest.total() - element.start.total()).z();
  LayerDeflections pressed = element.start;
  std::array<double, 2> less{};
  for (std::size_t side = 0; side < 2; ++side) {
    less[side] = std::max(0.0, (at_rest.of[side] - element.start.of[side]).z());
  }
  if (!(missing > 0)) return pressed;
  for (std::size_t side = 0; side < 2; ++side) pressed.of[side].z() += missing * less[side] / (less[0] + less[1]);
  return pressed;
}

/// Bodies and materials of two colliders, whichever is the first.
using Surfaces = std::array<std::pair<int, int>, 2>;
Surfaces surfaces_of(const Model& model, const ContactId& id) {
  const Collider &A = model.colliders()[id.a], &B = model.colliders()[id.b];
  Surfaces surfaces{std::pair{A.body, A.material}, std::pair{B.body, B.material}};
  std::sort(surfaces.begin(), surfaces.end());
  return surfaces;
}

/// A contact that presses.
struct Part {
  ContactElement* element;
  VectorX impulse, response;  // f and M⁻¹ f of the whole impulse
  LayerDeflections end = {};  // of the layers
  double stored = 0;          // ΔE, J

  double work(const VectorX& mean) const { return element->kept * impulse.dot(mean); }
  bool gives(const VectorX& mean) const { return carom::gives(work(mean), stored); }
};

/// Relaxes the layers of contacts until they store no more at the end than the work done on them together.
void relax(const std::vector<const Part*>& parts, const VectorX& mean) {
  double most = 0;
  for (const Part* part : parts) most += part->element->law.stored(part->element->start) - part->work(mean);
  const auto held = [&](double share) {
    double sum = 0;
    for (const Part* part : parts) sum += part->element->law.stored(between({}, part->end, share));
    return sum;
  };
  const double share = greatest_share(held, std::max(0.0, most));
  for (const Part* part : parts) part->element->relaxed = share;
}

/// Those that give, and all that are joined to them by bodies that move.
std::vector<const Part*> joined_with_givers(const std::vector<Part>& parts, const VectorX& mean) {
  std::set<int> coordinates;
  std::vector<const Part*> joined, left;
  for (const Part& part : parts) left.push_back(&part);
  const auto joins = [&](const Part* part) {
    const auto& of = part->element->coordinates;
    return part->gives(mean) || std::any_of(of.begin(), of.end(), [&](int k) { return coordinates.count(k) > 0; });
  };
  for (bool grows = true; grows;) {
    const auto end = std::partition(left.begin(), left.end(), [&](const Part* part) { return !joins(part); });
    grows = end != left.end();
    for (auto part = end; part != left.end(); ++part) {
      joined.push_back(*part);
      coordinates.insert((*part)->element->coordinates.begin(), (*part)->element->coordinates.end());
    }
    left.erase(end, left.end());
  }
  return joined;
}

/// Some contacts go on taking from one another, as those of a light body between two. They keep the greatest common
/// part with which they together give nothing. True if there is one; if not, they stay unchanged. w_end, mean: the
/// velocity at the end, and the mean one.
bool take_back_together(const std::vector<const Part*>& parts, VectorX& mean, VectorX& w_end) {
  VectorX impulse = VectorX::Zero(w_end.size()), response = impulse;
  double stored = 0;
  for (const Part* part : parts) {
    impulse += part->element->kept * part->impulse;
    response += part->element->kept * part->response;
    stored += part->stored;
  }
  const double work = impulse.dot(mean), square = impulse.dot(response);
  if (!(square > 0) || !gives(work, stored)) return !gives(work, stored);
  const double share = greatest_part(0.5 * square, work - 0.5 * square, stored, 1);
  const double given = share * (work - 0.5 * (1 - share) * square) + stored;
  if (given > none * (std::abs(work) + std::abs(stored))) return false;
  w_end -= (1 - share) * response;
  mean -= 0.5 * (1 - share) * response;
  for (const Part* part : parts) part->element->kept *= share;
  return true;
}

}  // namespace

/// Deflections and slack that the elements' layers begin the step with.
void QuasiRigidStepper::share_layers(const Model& model, const State& state) {
  struct Group {
    std::vector<std::pair<ContactElement*, LayerDeflections>> pressed_less;  // and their deflections if pressed in
    double left = 0;                                                         // energy that nobody holds, J
  };
  std::map<Surfaces, Group> groups;
  for (ContactElement& element : elements_) {
    element.start = element.remembered;
    if (!element.law.has_layer()) continue;
    element.law.set_slack(0, 0);
    const bool by_level = element.level != ClosestPointSystem::Level::none;
    const double held = element.start.total().z();
    // A measure by levels has no slack: overlap is another measure.
    if (by_level && held > 0) continue;
    // Closest points and distances differ by more than round-off.
    const double margin = begins(state) ? 0 : (element.is_smooth ? other_branch : slack_seen) * size_.least();
    if (!(element.depth > std::max(0.0, held + margin))) continue;
    const LayerDeflections pressed = pressed_further(element);
    if (begins(state) || by_level) {
      element.start = pressed;
    } else {
      groups[surfaces_of(model, element.id)].pressed_less.emplace_back(&element, pressed);
    }
  }
  if (groups.empty()) return;
  for (const ContactMemory& memory : state.contacts) {
    if (!memory.id.is_surface()) continue;
    const auto group = groups.find(surfaces_of(model, memory.id));
    if (group != groups.end()) group->second.left += stored(model, memory);
  }
  for (const ContactElement& element : elements_) {
    const auto group = groups.find(surfaces_of(model, element.id));
    if (group != groups.end()) group->second.left -= element.law.stored(element.remembered);
  }
  for (auto& named : groups) {
    Group& group = named.second;
    double now = 0;
    for (const auto& [element, pressed] : group.pressed_less) now += element->law.stored(element->start);
    const auto energy = [&](double part) {
      double sum = 0;
      for (const auto& [element, pressed] : group.pressed_less) {
        sum += element->law.stored(between(element->start, pressed, part));
      }
      return sum;
    };
    const double part = greatest_share(energy, now + std::max(0.0, group.left));
    for (auto& [element, pressed] : group.pressed_less) {
      element->start = between(element->start, pressed, part);
      const LayerDeflections& start = element->start;
      element->law.set_slack(pressed.of[0].z() - start.of[0].z(), pressed.of[1].z() - start.of[1].z());
    }
  }
}

/// Fills w_end_, the velocity at the end of the step, and w_mean_, its mean with the one before contacts. Sets for
/// every element the parts of its impulse and deflections that are kept.
void QuasiRigidStepper::take_back_gains() {
  std::vector<Part> parts;
  w_end_ = z_.head(w_start_.size());
  VectorX& mean = w_mean_;
  mean = w_end_;
  for (ContactElement& element : elements_) {
    element.kept = element.relaxed = 1;
    const auto z = z_.segment(element.law_index(), element.law.size());
    if (!(element.law.impulse(z)[2] > 0)) continue;
    Part part{&element, VectorX::Zero(w_end_.size()), {}};
    problem_.add_impulse(element, z_, part.impulse);
    problem_.solve_mass(part.impulse, part.response);
    const ContactInput input = problem_.input(element, z_);
    part.end = element.law.end(input, z);
    part.stored = element.law.stored(part.end) - element.law.stored(input.start);
    mean -= 0.5 * part.response;
    // The deflection of a layer by levels is no length along n, so p neither gives nor takes its energy.
    if (element.level == ClosestPointSystem::Level::none) parts.push_back(std::move(part));
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
      const double square = part.impulse.dot(part.response);
      if (!part.gives(mean) || !(square > 0)) continue;
      double& kept = part.element->kept;
      const double work = part.impulse.dot(mean);
      const double next = greatest_part(0.5 * square, work - 0.5 * kept * square, part.stored, kept);
      gave = gave || next < kept;
      w_end_ -= (kept - next) * part.response;
      mean -= 0.5 * (kept - next) * part.response;
      kept = next;
    }
  }
  if (gave) {
    const std::vector<const Part*> joined = joined_with_givers(parts, mean);
    if (!take_back_together(joined, mean, w_end_)) relax(joined, mean);
  } else {
    for (const Part& part : parts) {
      if (part.gives(mean)) relax({&part}, mean);
    }
  }
}

}  // namespace carom
