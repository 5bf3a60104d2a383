#include "carom/stepper/quasi_rigid/quasi_rigid_problem.h"

#include <limits>
#include <set>

#include "carom/spatial/rotation.h"

namespace carom {

/// Where derivatives go: a dense matrix, or the triplets of a sparse one.
class QuasiRigidProblem::Entries {
 public:
  explicit Entries(Eigen::Ref<MatrixX>& dense) : dense_(&dense) {}
  explicit Entries(std::vector<Eigen::Triplet<double>>& triplets) : triplets_(&triplets) {}

  void add(int row, int column, double value) {
    if (dense_ != nullptr) {
      (*dense_)(row, column) += value;
    } else {
      triplets_->emplace_back(row, column, value);
    }
  }
  template <class Rows, class Columns, class Block>
  void add_block(const Rows& row_of, const Columns& column_of, const Block& block) {
    for (Eigen::Index c = 0; c < block.cols(); ++c) {
      for (Eigen::Index r = 0; r < block.rows(); ++r) add(row_of(r), column_of(c), block(r, c));
    }
  }

 private:
  Eigen::Ref<MatrixX>* dense_ = nullptr;
  std::vector<Eigen::Triplet<double>>* triplets_ = nullptr;
};

/// Derivatives of one element's wrench (rows by coordinate) and law (rows by unknown), each by displacements y of the
/// bodies, by the velocity at fixed y, by the point x, by the normal n, by the gap d and by the law's unknowns.
struct QuasiRigidProblem::Local {
  MatrixX wrench_by_y, wrench_by_x, wrench_by_n, wrench_by_z;
  MatrixX law_by_y, law_by_w, law_by_x, law_by_n, law_by_d, law_by_z;
};

namespace {

using System = ClosestPointSystem;

constexpr double infinity = std::numeric_limits<double>::infinity();

auto from(int first) {
  return [first](Eigen::Index i) { return first + static_cast<int>(i); };
}
auto of(const std::vector<int>& indices) {
  return [&indices](Eigen::Index i) { return indices[static_cast<std::size_t>(i)]; };
}

Vec3 point_of(const ContactElement& element, const ElementGeometry& geometry) {
  return geometry.a1 + element.side * (geometry.a2 - geometry.a1);
}

}  // namespace

QuasiRigidProblem::QuasiRigidProblem(const Model& model)
    : model_(&model), motion_(model), finder_(model), velocities_(model.velocity_count()) {
  std::set<int> roots;
  for (int body = 0; body < model.body_count(); ++body) {
    if (!roots.insert(model.root(body)).second) continue;
    std::vector<int> coordinates;
    for (const auto& [first, count] : model.tree(body).coordinates) {
      for (int k = first; k < first + count; ++k) coordinates.push_back(k);
    }
    if (coordinates.empty()) continue;
    trees_.emplace_back();
    trees_.back().coordinates.swap(coordinates);
  }
}

void QuasiRigidProblem::pose(const QuasiRigidStart& start, const std::vector<StepRow>& rows,
                             std::vector<ContactElement>& elements) {
  start_ = &start;
  rows_ = &rows;
  elements_ = &elements;
  size_ = velocities_ + static_cast<int>(rows.size());
  for (ContactElement& element : elements) {
    element.first = size_;
    size_ += element.size();
    motion_.path(*model_, element.body_a, element.body_b, element.coordinates);
  }
  has_constraints_ = false;
  for (const StepRow& row : rows) has_constraints_ = has_constraints_ || row.kind == StepRow::Kind::constraint;
  for (TreeBlock& tree : trees_) {
    tree.mass = start.mass(tree.coordinates, tree.coordinates);
    tree.factors.compute(tree.mass);
  }
}

void QuasiRigidProblem::bounds(Eigen::Ref<VectorX> lower, Eigen::Ref<VectorX> upper) const {
  lower.setConstant(-infinity);
  upper.setConstant(infinity);
  for (std::size_t i = 0; i < rows_->size(); ++i) {
    lower[row_index(i)] = (*rows_)[i].lower;
    upper[row_index(i)] = (*rows_)[i].upper;
  }
  for (const ContactElement& element : *elements_) {
    for (int i = System::multipliers_a; i < element.geometry_size(); ++i) lower[element.first + i] = 0;
    for (int i = 0; i < element.law.size(); ++i) lower[element.law_index() + i] = element.law.lower(i);
  }
}

void QuasiRigidProblem::update_constraints() {
  if (!has_constraints_) return;
  constraint_equations(*model_, motion_.q(), start_->end, ConstraintLevel::velocity, motion_.workspace(), equations_);
}

void QuasiRigidProblem::at(const Input& z) {
  w_ = z.head(velocities_);
  motion_.move(*model_, start_->q, w_, start_->h);
  update_constraints();
}

void QuasiRigidProblem::multiply_mass(const VectorX& x, Eigen::Ref<VectorX> y) const {
  for (const TreeBlock& tree : trees_) {
    const VectorX part = x(tree.coordinates);
    y(tree.coordinates) = tree.mass * part;
  }
}

void QuasiRigidProblem::solve_mass(const VectorX& b, VectorX& x) const {
  x.resize(b.size());
  for (const TreeBlock& tree : trees_) {
    const VectorX part = b(tree.coordinates);
    const VectorX solution = tree.factors.solve(part);
    x(tree.coordinates) = solution;
  }
}

ContactInput QuasiRigidProblem::input(const ContactElement& element, const Input& z) const {
  const ElementGeometry geometry = element_geometry(element, motion_, z);
  const ElementFrame frame(geometry.normal, friction_axis_of(element, motion_));
  const Vec3 x = point_of(element, geometry);
  const Vec6 V = motion_.velocity(*model_, element.body_a, x, w_) - motion_.velocity(*model_, element.body_b, x, w_);
  ContactInput input;
  input.h = start_->h;
  input.gap = geometry.gap;
  input.velocity << frame.t.dot(V.tail<3>()), frame.o.dot(V.tail<3>()), frame.n.dot(V.tail<3>()),
      frame.n.dot(V.head<3>());
  input.start = element.start;
  return input;
}

void QuasiRigidProblem::add_impulse(const ContactElement& element, const Input& z, VectorX& f) const {
  const ElementGeometry geometry = element_geometry(element, motion_, z);
  const ElementFrame frame(geometry.normal, friction_axis_of(element, motion_));
  const Vec3 x = point_of(element, geometry);
  const Eigen::Vector4d p = element.law.impulse(z.segment(element.law_index(), element.law.size()));
  const Vec3 force = p[0] * frame.t + p[1] * frame.o + p[2] * frame.n, moment = p[3] * frame.n;
  for (const int k : element.coordinates) {
    const CarriedMotion::Column& column = motion_.column(k);
    const double work = column.angular.dot(moment) + column.at(x).dot(force);
    if (motion_.moves(*model_, k, element.body_a)) f[k] += work;
    if (motion_.moves(*model_, k, element.body_b)) f[k] -= work;
  }
}

void QuasiRigidProblem::add_impulse(const StepRow& row, double lambda, VectorX& f) {
  for (std::size_t i = 0; i < row.coordinates.size(); ++i) {
    f[row.coordinates[i]] += lambda * row.force[static_cast<Eigen::Index>(i)];
  }
}

double QuasiRigidProblem::measure(const StepRow& row, const Input& z) const {
  if (row.kind == StepRow::Kind::constraint) return equations_.errors[static_cast<std::size_t>(row.number)];
  if (row.kind == StepRow::Kind::stop) {
    Contact contact;
    finder_.evaluate(*model_, row.stop.id, motion_.q(), motion_.workspace().X_WB, contact);
    return contact.gap;
  }
  double velocity = row.offset;
  for (std::size_t i = 0; i < row.coordinates.size(); ++i) {
    velocity += row.force[static_cast<Eigen::Index>(i)] * z[row.coordinates[i]];
  }
  return velocity;
}

void QuasiRigidProblem::momentum_residual(const Input& z, Eigen::Ref<VectorX> F) const {
  VectorX impulse = VectorX::Zero(velocities_);
  for (std::size_t i = 0; i < rows_->size(); ++i) add_impulse((*rows_)[i], z[row_index(i)], impulse);
  for (const ContactElement& element : *elements_) add_impulse(element, z, impulse);
  multiply_mass(w_ - start_->free, F.head(velocities_));
  F.head(velocities_) -= impulse;
}

void QuasiRigidProblem::element_residual(const ContactElement& element, const Input& z, Eigen::Ref<VectorX> F) const {
  const int law = element.law_index(), count = element.law.size();
  F.segment(law, count) = element.law.rows(input(element, z), z.segment(law, count)).F.head(count);
  if (!element.is_smooth) return;
  const int first = element.first, size = element.geometry_size();
  element.system().residual(motion_.pose(element.body_a) * element.X_AS, motion_.pose(element.body_b) * element.X_BS,
                            z.segment(first, size), F.segment(first, size));
}

bool QuasiRigidProblem::residual(const Input& z, Eigen::Ref<VectorX> F) {
  at(z);
  momentum_residual(z, F);
  for (std::size_t i = 0; i < rows_->size(); ++i) {
    const StepRow& row = (*rows_)[i];
    double& value = F[row_index(i)];
    value = measure(row, z);
    if (row.kind == StepRow::Kind::velocity) {
      value += row.compliance * z[row_index(i)];
    } else {
      value /= start_->h;
    }
  }
  for (const ContactElement& element : *elements_) element_residual(element, z, F);
  return F.allFinite();
}

void QuasiRigidProblem::differentiate(const ContactElement& element, const Input& z, Local& local) const {
  const auto K = static_cast<Eigen::Index>(element.coordinates.size());
  const int L = element.law.size();
  const ElementGeometry geometry = element_geometry(element, motion_, z);
  const ElementFrame frame(geometry.normal, friction_axis_of(element, motion_));
  const Vec3 x = point_of(element, geometry);
  const ContactRows law = element.law.rows(input(element, z), z.segment(element.law_index(), L));
  const Eigen::Vector4d& p = law.impulse;
  const Vec3 force = p[0] * frame.t + p[1] * frame.o + p[2] * frame.n, moment = p[3] * frame.n;
  Mat3 R;
  R << frame.t, frame.o, frame.n;

  MatrixX by_w(6, K), by_w_b(6, K), by_y(6, K), by_y_b(6, K);
  motion_.velocity_jacobian(*model_, element.body_a, x, element.coordinates, by_w);
  motion_.velocity_jacobian(*model_, element.body_b, x, element.coordinates, by_w_b);
  motion_.velocity_slope(*model_, element.body_a, x, w_, element.coordinates, by_y);
  motion_.velocity_slope(*model_, element.body_b, x, w_, element.coordinates, by_y_b);
  by_w -= by_w_b;
  by_y -= by_y_b;
  const Vec6 V = motion_.velocity(*model_, element.body_a, x, w_) - motion_.velocity(*model_, element.body_b, x, w_);
  const Vec3 spin = V.head<3>(), slip = V.tail<3>();

  // The wrench, with a sign: rows of the momentum are M (w − w_f) − impulses.
  local.wrench_by_y.setZero(K, K);
  motion_.add_force_slope(*model_, element.body_a, x, force, moment, -1, element.coordinates, local.wrench_by_y);
  motion_.add_force_slope(*model_, element.body_b, x, force, moment, 1, element.coordinates, local.wrench_by_y);
  local.wrench_by_x = by_w.topRows<3>().transpose() * skew(force);
  const Mat3 force_by_n = p[0] * frame.t_by_n + p[1] * frame.o_by_n + p[2] * frame.n_by_n;
  local.wrench_by_n =
      -by_w.bottomRows<3>().transpose() * force_by_n - by_w.topRows<3>().transpose() * (p[3] * frame.n_by_n);
  const auto p_by_z = law.impulse_by_z.leftCols(L);
  local.wrench_by_z = -by_w.bottomRows<3>().transpose() * (R * p_by_z.topRows<3>()) -
                      by_w.topRows<3>().transpose() * (frame.n * p_by_z.row(3));

  const auto in_frame = [&](const MatrixX& motions) {
    MatrixX u(4, K);
    u << R.transpose() * motions.bottomRows<3>(), frame.n.transpose() * motions.topRows<3>();
    return u;
  };
  Eigen::Matrix<double, 4, 3> u_by_x = Eigen::Matrix<double, 4, 3>::Zero(), u_by_n;
  u_by_x.topRows<3>() = R.transpose() * skew(spin);
  u_by_n << slip.transpose() * frame.t_by_n, slip.transpose() * frame.o_by_n, slip.transpose() * frame.n_by_n,
      spin.transpose() * frame.n_by_n;
  const MatrixX law_by_u = law.F_by_motion.block(0, 1, L, 4);
  local.law_by_d = law.F_by_motion.block(0, 0, L, 1);
  local.law_by_w = law_by_u * in_frame(by_w);
  local.law_by_y = law_by_u * in_frame(by_y);
  local.law_by_x = law_by_u * u_by_x;
  local.law_by_n = law_by_u * u_by_n;
  local.law_by_z = law.F_by_z.topLeftCorner(L, L);

  if (element.axis.body < 0) return;
  MatrixX axis(3, K);
  axis_slope(*model_, element, motion_, axis);
  local.wrench_by_y -= by_w.bottomRows<3>().transpose() * (p[0] * frame.t_by_axis + p[1] * frame.o_by_axis) * axis;
  MatrixX u_by_axis = MatrixX::Zero(4, K);
  u_by_axis << slip.transpose() * frame.t_by_axis * axis, slip.transpose() * frame.o_by_axis * axis,
      MatrixX::Zero(2, K);
  local.law_by_y += law_by_u * u_by_axis;
}

void QuasiRigidProblem::fill_closest_points(const ContactElement& element, const Input& z, Entries& J) const {
  const int first = element.first, n = element.geometry_size();
  const Transform X_A = motion_.pose(element.body_a) * element.X_AS, X_B = motion_.pose(element.body_b) * element.X_BS;
  const auto K = static_cast<Eigen::Index>(element.coordinates.size());
  MatrixX own = MatrixX::Zero(n, n), by_pose = MatrixX::Zero(n, 12), displacement(6, K);
  element.system().jacobian(X_A, X_B, z.segment(first, n), own);
  element.system().pose_jacobian(X_A, X_B, z.segment(first, n), by_pose);
  J.add_block(from(first), from(first), own);
  motion_.velocity_jacobian(*model_, element.body_a, X_A.p, element.coordinates, displacement);
  MatrixX by_y = by_pose.leftCols<6>() * displacement;
  motion_.velocity_jacobian(*model_, element.body_b, X_B.p, element.coordinates, displacement);
  by_y += by_pose.rightCols<6>() * displacement;
  motion_.to_velocity(*model_, element.coordinates, by_y);
  J.add_block(from(first), of(element.coordinates), by_y);
}

void QuasiRigidProblem::fill_element(const ContactElement& element, const Input& z, Entries& J) {
  Local local;
  differentiate(element, z, local);
  const auto K = static_cast<Eigen::Index>(element.coordinates.size());
  const int law = element.law_index();
  const auto momentum = of(element.coordinates);
  const auto rows = from(law);
  if (element.is_smooth) {
    fill_closest_points(element, z, J);
    const int first = element.first;
    J.add_block(momentum, from(first + System::point_a), (1 - element.side) * local.wrench_by_x);
    J.add_block(momentum, from(first + System::point_b), element.side * local.wrench_by_x);
    J.add_block(momentum, from(first + System::normal), local.wrench_by_n);
    J.add_block(rows, from(first + System::point_a), (1 - element.side) * local.law_by_x);
    J.add_block(rows, from(first + System::point_b), element.side * local.law_by_x);
    J.add_block(rows, from(first + System::normal), local.law_by_n);
    if (element.by_length) {
      const LengthSlope length = length_slope(*model_, element, motion_, z);
      J.add_block(rows, from(first + System::point_b), local.law_by_d * length.by_point.transpose());
      local.law_by_y += local.law_by_d * length.by_y;
    } else {
      J.add_block(rows, from(first + System::gap), local.law_by_d);
    }
  } else {
    MatrixX slope(10, K);
    corner_slope(*model_, element, motion_, slope);
    const MatrixX x_by_y = (1 - element.side) * slope.topRows<3>() + element.side * slope.middleRows<3>(3);
    local.wrench_by_y += local.wrench_by_x * x_by_y + local.wrench_by_n * slope.middleRows<3>(6);
    local.law_by_y += local.law_by_x * x_by_y + local.law_by_n * slope.middleRows<3>(6) + local.law_by_d * slope.row(9);
  }
  motion_.to_velocity(*model_, element.coordinates, local.wrench_by_y);
  motion_.to_velocity(*model_, element.coordinates, local.law_by_y);
  local.law_by_y += local.law_by_w;
  J.add_block(momentum, of(element.coordinates), local.wrench_by_y);
  J.add_block(momentum, from(law), local.wrench_by_z);
  J.add_block(rows, of(element.coordinates), local.law_by_y);
  J.add_block(rows, from(law), local.law_by_z);
}

void QuasiRigidProblem::fill_row(std::size_t index, Entries& J) {
  const StepRow& row = (*rows_)[index];
  const int at = row_index(index);
  for (std::size_t i = 0; i < row.coordinates.size(); ++i) {
    J.add(row.coordinates[i], at, -row.force[static_cast<Eigen::Index>(i)]);
  }
  if (row.kind == StepRow::Kind::velocity) {
    for (std::size_t i = 0; i < row.coordinates.size(); ++i) {
      J.add(at, row.coordinates[i], row.force[static_cast<Eigen::Index>(i)]);
    }
    J.add(at, at, row.compliance);
    return;
  }
  std::vector<ConstraintRow> stop;
  if (row.kind == StepRow::Kind::stop) {
    Contact contact;
    finder_.evaluate(*model_, row.stop.id, motion_.q(), motion_.workspace().X_WB, contact);
    append_rows(contact, stop);
  }
  const ConstraintRow& end =
      row.kind == StepRow::Kind::stop ? stop.front() : equations_.rows[static_cast<std::size_t>(row.number)];
  VectorX coefficients(static_cast<Eigen::Index>(row.coordinates.size()));
  motion_.row_coefficients(*model_, end, row.coordinates, coefficients);
  MatrixX by_w = coefficients.transpose();
  motion_.to_velocity(*model_, row.coordinates, by_w);
  by_w /= start_->h;
  J.add_block(from(at), of(row.coordinates), by_w);
}

void QuasiRigidProblem::fill(const Input& z, Entries& J) {
  at(z);
  for (const TreeBlock& tree : trees_) J.add_block(of(tree.coordinates), of(tree.coordinates), tree.mass);
  for (std::size_t i = 0; i < rows_->size(); ++i) fill_row(i, J);
  for (const ContactElement& element : *elements_) fill_element(element, z, J);
}

void QuasiRigidProblem::jacobian(const Input& z, Eigen::Ref<MatrixX> J) {
  Entries entries(J);
  fill(z, entries);
}

void QuasiRigidProblem::jacobian(const Input& z, Eigen::SparseMatrix<double>& J) {
  std::vector<Eigen::Triplet<double>> triplets;
  Entries entries(triplets);
  fill(z, entries);
  J.resize(size_, size_);
  J.setFromTriplets(triplets.begin(), triplets.end());
}

}  // namespace carom
