#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "carom/certificate/judge.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/multiply_mass.h"
#include "carom/dynamics/recursions.h"
#include "random_scenes.h"

// The judge detects a step that was altered before it saw it. The number that the change touches rises tenfold and
// crosses the threshold of its verdict.
namespace carom::cannot_be_fooled_test {
namespace {

struct Choice {
  const char* name;
  StepperKind stepper;
  FrictionCone cone;
  LawKind law;
  int looked_at = 16;  // one in so many steps
  int looks = 160;     // at steps with impulses, in a scene
  SmoothParts smooth = SmoothParts::first_order;
};

std::ostream& operator<<(std::ostream& out, const Choice& choice) { return out << choice.name; }

constexpr Choice choices[]{
    {"stewart_trinkle", StepperKind::stewart_trinkle, FrictionCone::polyhedral, LawKind::none},
    {"stewart_trinkle_exact", StepperKind::stewart_trinkle, FrictionCone::exact, LawKind::none},
    {"stewart_trinkle_newton", StepperKind::stewart_trinkle, FrictionCone::exact, LawKind::newton},
    {"stewart_trinkle_poisson", StepperKind::stewart_trinkle, FrictionCone::polyhedral, LawKind::poisson},
    {"anitescu_potra", StepperKind::anitescu_potra, FrictionCone::polyhedral, LawKind::none},
    {"stewart_trinkle_second_order", StepperKind::stewart_trinkle, FrictionCone::exact, LawKind::newton, 16, 160,
     SmoothParts::second_order},
    {"anitescu_potra_second_order", StepperKind::anitescu_potra, FrictionCone::exact, LawKind::none, 16, 160,
     SmoothParts::second_order},
    {"nonlinear", StepperKind::stewart_trinkle_nonlinear, FrictionCone::exact, LawKind::none},
    {"hybrid_dca", StepperKind::hybrid_dca, FrictionCone::exact, LawKind::none},
    {"event_driven", StepperKind::event_driven, FrictionCone::exact, LawKind::plastic, 2, 12},
    {"compliant", StepperKind::compliant, FrictionCone::exact, LawKind::none, 2, 12},
    {"semi_explicit", StepperKind::semi_explicit, FrictionCone::exact, LawKind::newton},
    {"variational", StepperKind::variational, FrictionCone::exact, LawKind::newton},
    {"implicit_geometry", StepperKind::implicit_geometry, FrictionCone::exact, LawKind::none},
    {"quasi_rigid", StepperKind::quasi_rigid, FrictionCone::exact, LawKind::none},
};

Method method_of(const Choice& choice) {
  Method method;
  method.step = 0.005;
  method.stepper = choice.stepper;
  method.cone = choice.cone;
  method.law = choice.law;
  method.smooth = choice.smooth;
  method.compliant.limit_stiffness = 1e4;
  method.compliant.limit_dissipation = 0.2;
  return method;
}

/// A chain whose end hangs on a ball joint, so that it closes a loop through the world with a redundant row. Balls fall
/// on it and past it.
test::SceneMaker looped_scene(unsigned seed, double restitution) {
  test::Draw draw{std::mt19937(seed + 500)};
  test::SceneMaker scene(draw.uniform(0.1, 0.8), restitution);
  const int links = 3 + static_cast<int>(seed % 3);
  int last = -1;
  for (int i = 0; i < links; ++i) {
    const int body = scene.add(Capsule{0.04, 0.1}, draw.uniform(0.3, 3), Vec3::Zero());
    Joint joint;
    joint.type = JointType::revolute;
    joint.name = "link" + std::to_string(i);
    joint.parent = last;
    joint.X_PF.R << 1, 0, 0, 0, 0, 1, 0, -1, 0;
    joint.X_PF.p = last < 0 ? Vec3(0, 0, 1) : Vec3(0, 0, -0.15);
    joint.X_BM.R = joint.X_PF.R;
    joint.X_BM.p = Vec3(0, 0, 0.15);
    test::hang(scene, body, joint, draw);
    scene.q.tail<1>()[0] = i % 2 == 0 ? 1.2 : -0.7;
    scene.v.tail<1>()[0] = 0;
    last = body;
  }
  const auto model = scene.model();
  DynamicsWorkspace workspace(*model);
  forward_kinematics(*model, scene.q, workspace);
  Constraint tie;
  tie.name = "tie";
  tie.body_a = last;
  tie.X_AF.p = Vec3(0, 0, -0.15);
  tie.X_BG.p = workspace.X_WB[last] * tie.X_AF.p;
  scene.builder.add_constraint(tie);
  for (int i = 0; i < 3; ++i) {
    const Vec3 over = workspace.X_WB[std::min(i, links - 1)].p + Vec3(0.01 * i, 0.02, 0.25 + 0.1 * i);
    scene.add(Sphere{0.06}, draw.uniform(0.3, 3), over, Vec3(draw.uniform(-0.2, 0.2), 0, -1));
  }
  clear_overlaps(scene);
  return scene;
}

/// Twenty scenes: free bodies, articulated trees, driven ones, and closed loops.
test::SceneMaker scene_of(unsigned number, double restitution, const Choice& choice) {
  if (number % 4 == 3) return looped_scene(number, restitution);
  const bool ratchets = choice.stepper != StepperKind::compliant;
  return test::random_scene(10 * number, restitution, number % 2 == 1, ratchets);
}
constexpr unsigned scene_count = 20;

double largest_impulse(const StepEvidence& evidence) {
  double largest = 0;
  for (const RowEvidence* rows : {static_cast<const RowEvidence*>(&evidence), &evidence.at_end}) {
    for (const double p : rows->impulse) largest = std::max(largest, std::abs(p));
  }
  return largest;
}

/// The `number`th of things, those of the step's own rows first and those at its end after them, where one is.
struct Place {
  RowEvidence& rows;
  std::size_t number;
};

template <class List>
Place place_of(StepEvidence& evidence, List RowEvidence::*list, int number) {
  const std::size_t own = (evidence.*list).size(), i = static_cast<std::size_t>(number);
  return i < own ? Place{evidence, i} : Place{evidence.at_end, i - own};
}

/// Calls change(impulses) for the impulses that a row has, in an integration those of all stages. A contact that opens
/// at its start has none later: false, and nothing changed.
template <class Change>
bool change_impulses(StepEvidence& evidence, RowEvidence& at, std::size_t last_row, Change&& change) {
  for (const StageEvidence& stage : evidence.later_stages) {
    if (stage.impulse.size() <= last_row) return false;
  }
  change(at.impulse);
  for (StageEvidence& stage : evidence.later_stages) change(stage.impulse);
  return true;
}

/// A change of the evidence, one of many, with the number that it touches.
struct Lie {
  const char* name;
  double Judge::Verdict::*touched;
  std::function<int(const StepEvidence&)> count;
  /// False if that number does not change, with the reason in the test's comments.
  std::function<bool(const Model&, int, StepEvidence&)> tell;
};

bool pushes_tree_of(const Model& model, const ConstraintRow& row, int body) {
  const int root = model.root(body);
  const auto is_of = [&](int end) { return end >= 0 && model.root(end) == root; };
  const bool of_coordinate = row.coordinate >= 0 && is_of(model.coordinate_body(row.coordinate));
  return of_coordinate || is_of(row.body_a) || is_of(row.body_b);
}

double mass_of_trees(const Model& model, const ConstraintRow& row) {
  double sum = 0;
  for (int body = 0; body < model.body_count(); ++body) {
    if (pushes_tree_of(model, row, body)) sum += model.bodies()[body].inertia.mass;
  }
  return sum;
}

/// Square of an impulse on the row's trees in the kinetic metric; velocity is what it makes.
double square_on_trees(const Model& model, const ConstraintRow& row, const VectorX& impulse, const VectorX& velocity) {
  double sum = 0;
  for (Eigen::Index k = 0; k < impulse.size(); ++k) {
    const int body = model.coordinate_body(static_cast<int>(k));
    if (pushes_tree_of(model, row, body)) sum += impulse[k] * velocity[k];
  }
  return sum;
}

/// The exceptions. A row that pushes against joints alone, or nearly so, leaves no trace in momentum. Nor does a
/// millionth of a step's largest impulse if this impulse is less than a thirtieth of the largest effect on the tree.
/// Such effects are those of weight, of single impulses, of all together, and of all that changes its momentum. The
/// last may be a servo, which is a force in a discrete action. The row is one of `at`.
bool moves_something(const Model& model, const StepEvidence& evidence, const RowEvidence& at, int row) {
  double most = 0, own = 0;
  const ConstraintRow& pushed = at.rows[static_cast<std::size_t>(row)];
  for (const RowEvidence* end : {static_cast<const RowEvidence*>(&evidence), &evidence.at_end}) {
    if (end->rows.empty()) continue;
    DynamicsWorkspace workspace(model);
    forward_kinematics(model, end->q_at, workspace);
    factor_mass(model, VectorX(), workspace);
    Delassus delassus;
    delassus.build(model, end->rows, workspace);
    for (int i = 0; i < delassus.row_count(); ++i) {
      const double p = end->impulse[static_cast<std::size_t>(i)];
      most = std::max(most, p * p * delassus.diagonal(i));
    }
    VectorX impulse = VectorX::Zero(evidence.v_end.size()), velocity = impulse, momentum = impulse;
    delassus.add_transposed(Eigen::Map<const VectorX>(end->impulse.data(), delassus.row_count()), impulse);
    solve_mass(model, impulse, workspace, velocity);
    most = std::max(most, square_on_trees(model, pushed, impulse, velocity));
    transport_velocity(model, evidence.q_end, end->q_at, evidence.v_end, velocity);
    transport_velocity(model, evidence.q_start, end->q_at, evidence.v_start, impulse);
    velocity -= impulse;
    multiply_mass(model, velocity, workspace, momentum);
    most = std::max(most, square_on_trees(model, pushed, momentum, velocity));
    if (end == &at) own = delassus.diagonal(row);
  }
  const double p = largest_impulse(evidence), fall = evidence.length * model.gravity().norm();
  most = std::max(most, mass_of_trees(model, pushed) * fall * fall);
  return own * p * p > 1e-3 * most;
}

int row_count(const StepEvidence& evidence) {
  return static_cast<int>(evidence.rows.size() + evidence.at_end.rows.size());
}
int block_count(const StepEvidence& evidence) {
  return static_cast<int>(evidence.blocks.size() + evidence.at_end.blocks.size());
}
int coordinate_count(const StepEvidence& evidence) { return static_cast<int>(evidence.v_end.size()); }

double size_of(const Model& model, int body) {
  const SpatialInertia& inertia = model.bodies()[body].inertia;
  return std::sqrt(inertia.central.trace() / (2 * inertia.mass));
}

int body_of(const Model& model, int coordinate) { return model.coordinate_body(coordinate); }

const Lie lies[]{
    {"one impulse by 1e-6 of the largest", &Judge::Verdict::momentum_residual, row_count,
     [](const Model& model, int number, StepEvidence& evidence) {
       const auto [at, row] = place_of(evidence, &RowEvidence::rows, number);
       if (!(largest_impulse(evidence) > 0)) return false;
       if (!moves_something(model, evidence, at, static_cast<int>(row))) return false;
       const double more = 1e-6 * largest_impulse(evidence);
       const std::size_t number_of_row = row;
       return change_impulses(evidence, at, row, [&](auto& impulse) { impulse[number_of_row] += more; });
     }},
    {"a friction impulse turned by 1e-3 rad", &Judge::Verdict::momentum_residual, block_count,
     [](const Model& model, int number, StepEvidence& evidence) {
       const auto [at, place] = place_of(evidence, &RowEvidence::blocks, number);
       const Block& block = at.blocks[place];
       if (block.kind != BlockKind::cone || !moves_something(model, evidence, at, block.row)) return false;
       const Eigen::Map<const Vec2> p(at.impulse.data() + block.row);
       if (!(p.norm() > 1e-3 * largest_impulse(evidence))) return false;  // of the size of what is looked for
       const int first = block.row;
       return change_impulses(evidence, at, static_cast<std::size_t>(first) + 2, [&](auto& impulse) {
         Eigen::Map<Vec2> turned(impulse.data() + first);
         turned = Eigen::Rotation2Dd(1e-3) * Vec2(turned);
       });
     }},
    {"a contact dropped", &Judge::Verdict::momentum_residual, block_count,
     [](const Model& model, int number, StepEvidence& evidence) {
       const auto [at, place] = place_of(evidence, &RowEvidence::blocks, number);
       const Block& block = at.blocks[place];
       const double p = at.impulse[static_cast<std::size_t>(block.normal_row())];
       if (!block.is_contact() || !(p > 1e-6 * largest_impulse(evidence))) return false;
       if (!moves_something(model, evidence, at, block.normal_row())) return false;
       const int first = block.row, size = block.size();
       return change_impulses(evidence, at, static_cast<std::size_t>(first + size) - 1,
                              [&](auto& impulse) { std::fill_n(impulse.begin() + first, size, 0.0); });
     }},
    {"a body moved by 1e-6 of its size", &Judge::Verdict::kinematic_residual, coordinate_count,
     [](const Model& model, int coordinate, StepEvidence& evidence) {
       const Joint& joint = model.joints()[body_of(model, coordinate)];
       const int k = coordinate - joint.v_index;
       const bool turn = has_scalar_coordinates(joint.type) ? is_angle(joint, k) : k < 3;
       VectorX way = VectorX::Zero(evidence.v_end.size());
       way[coordinate] = 1e-6 * (turn ? 1 : size_of(model, body_of(model, coordinate)));
       integrate(model, evidence.q_end, way, 1, evidence.q_end);
       return true;
     }},
    {"a velocity by 1e-6", &Judge::Verdict::momentum_residual, coordinate_count,
     [](const Model& model, int coordinate, StepEvidence& evidence) {
       const double fall = evidence.length * model.gravity().norm();
       evidence.v_end[coordinate] += 1e-6 * std::max(evidence.v_end.norm(), fall);
       return true;
     }},
};

/// The longest part of a step, of those with impulses if one is not too short: in one of no length, between two
/// impacts, impulses are none beside the momentum that passes.
const StepEvidence& longest(const std::vector<StepEvidence>& parts, double step) {
  const auto comes_first = [&](const StepEvidence& a, const StepEvidence& b) {
    const auto bears = [&](const StepEvidence& part) { return part.length > 0.1 * step && largest_impulse(part) > 0; };
    return bears(a) != bears(b) ? bears(a) : a.length > b.length;
  };
  return *std::min_element(parts.begin(), parts.end(), comes_first);
}

class CannotBeFooled : public testing::TestWithParam<Choice> {};

TEST_P(CannotBeFooled, ByAStepThatWasAlteredBeforeTheJudgeSawIt) {
  const Method method = method_of(GetParam());
  const double restitution = method.law == LawKind::none || method.law == LawKind::plastic ? 0 : 0.4;
  const int looked_at = GetParam().looked_at;
  int told[std::size(lies)]{}, scenes_with_impulses = 0;
  for (unsigned number = 0; number < scene_count; ++number) {
    const test::SceneMaker scene = scene_of(number, restitution, GetParam());
    const auto model = scene.model();
    Simulation simulation(model, method, scene.state());
    std::vector<StepEvidence> evidence;
    simulation.keep_evidence(&evidence);
    Judge judge(*model);
    bool pushed = false;
    int looks = 0;
    for (int step = 0; step < 160 && looks < GetParam().looks; ++step) {
      evidence.clear();
      const StepReport& report = simulation.step();
      if (report.status != SolveStatus::solved || evidence.empty()) continue;
      const StepEvidence& sound = longest(evidence, method.step);
      const Judge::Verdict before = judge.judge(*model, sound);
      ASSERT_LE(before.momentum_residual, sound_residual) << "scene " << number << ", step " << step;
      ASSERT_LE(before.kinematic_residual, sound_residual) << "scene " << number << ", step " << step;
      const bool touches = largest_impulse(sound) > 0;
      if (step % looked_at != looked_at - 1 && (pushed || !touches)) continue;
      pushed = pushed || touches;
      looks += touches ? 1 : 0;
      for (std::size_t i = 0; i < std::size(lies); ++i) {
        const Lie& lie = lies[i];
        for (int k = 0; k < lie.count(sound); ++k) {
          StepEvidence altered = sound;
          if (!lie.tell(*model, k, altered)) continue;
          ++told[i];
          const double after = judge.judge(*model, altered).*lie.touched, least = before.*lie.touched;
          EXPECT_GT(after, std::max(10 * least, sound_residual))
              << lie.name << ", number " << k << ", scene " << number << ", step " << step;
        }
      }
    }
    scenes_with_impulses += pushed ? 1 : 0;
  }
  EXPECT_GE(scenes_with_impulses, 15);
  for (std::size_t i = 0; i < std::size(lies); ++i) EXPECT_GT(told[i], 50) << lies[i].name;
}

INSTANTIATE_TEST_SUITE_P(TimeSteppers, CannotBeFooled, testing::ValuesIn(choices),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace carom::cannot_be_fooled_test
