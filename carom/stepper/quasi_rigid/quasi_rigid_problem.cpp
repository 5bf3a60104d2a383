#include "carom/stepper/quasi_rigid/quasi_rigid_problem.h"

#include <algorithm>
#include <limits>

#include "carom/spatial/rotation.h"

namespace carom {

/// Destination of derivatives: a dense matrix, the triplets of a sparse one, or its values, in the triplets' order.
class QuasiRigidProblem::Entries {
 public:
  explicit Entries(Eigen::Ref<MatrixX>& dense) : dense_(&dense) {}
  explicit Entries(std::vector<Eigen::Triplet<double>>& triplets) : triplets_(&triplets) {}
  Entries(double* values, const std::vector<int>& slots) : values_(values), slot_(slots.data()) {}

  void add(int row, int column, double value) {
    if (dense_ != nullptr) {
      (*dense_)(row, column) += value;
    } else if (triplets_ != nullptr) {
      triplets_->emplace_back(row, column, value);
    } else {
      values_[*slot_++] += value;
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
  double* values_ = nullptr;
  const int* slot_ = nullptr;
};

/// Derivatives of one element's wrench (rows by coordinate) and law (rows by unknown). Each is by displacements y of
/// the bodies, velocity at fixed y, point x, normal n, gap d and the law's unknowns.
struct QuasiRigidProblem::Local {
  template <int columns>
  using ByUnknown = Eigen::Matrix<double, Eigen::Dynamic, columns, 0, ContactRows::most, columns>;
  using Columns3 = Eigen::Matrix<double, Eigen::Dynamic, 3>;
  using Rows4 = Eigen::Matrix<double, 4, Eigen::Dynamic>;
  using Rows6 = Eigen::Matrix<double, 6, Eigen::Dynamic>;

  MatrixX wrench_by_y, wrench_by_z, law_by_y, law_by_w;
  Columns3 wrench_by_x, wrench_by_n;
  ByUnknown<3> law_by_x, law_by_n;
  ByUnknown<1> law_by_d;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, ContactRows::most, ContactRows::most> law_by_z;
  // Scratch.
  MatrixX by_w, by_y, of_b, by_pose, own, slope, geometry_by_y;
  Rows4 in_frame;
  Eigen::Matrix<double, 3, Eigen::Dynamic> x_by_y;
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

}  // namespace

QuasiRigidProblem::~QuasiRigidProblem() = default;

void QuasiRigidProblem::TreeBlock::gather(const VectorX& x) const {
  part.resize(std::ssize(coordinates));
  for (Eigen::Index i = 0; i < part.size(); ++i) part[i] = x[coordinates[static_cast<std::size_t>(i)]];
}

void QuasiRigidProblem::TreeBlock::scatter(const VectorX& own, Eigen::Ref<VectorX> x) const {
  for (Eigen::Index i = 0; i < own.size(); ++i) x[coordinates[static_cast<std::size_t>(i)]] = own[i];
}

QuasiRigidProblem::QuasiRigidProblem(const Model& model)
    : model_(&model), motion_(model), finder_(model), velocities_(model.velocity_count()) {
  for (const int root : moving_roots(model)) {
    trees_.emplace_back();
    trees_.back().coordinates = coordinates_of_tree(model, root);
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
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    trees_[i].mass = &start.masses[i];
    trees_[i].factors.compute(start.masses[i]);
  }
  slots_.clear();
  if (locals_.size() < elements.size()) locals_.resize(elements.size());
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
    tree.gather(x);
    tree.image.noalias() = *tree.mass * tree.part;
    tree.scatter(tree.image, y);
  }
}

void QuasiRigidProblem::solve_mass(const VectorX& b, VectorX& x) const {
  x.resize(b.size());
  for (const TreeBlock& tree : trees_) {
    tree.gather(b);
    tree.factors.solveInPlace(tree.part);
    tree.scatter(tree.part, x);
  }
}

void QuasiRigidProblem::momentum_sizes(std::span<const double> changes, std::span<double> sizes) const {
  for (const TreeBlock& tree : trees_) {
    for (std::size_t i = 0; i < tree.coordinates.size(); ++i) {
      double& size = sizes[static_cast<std::size_t>(tree.coordinates[i])];
      size = 0;
      for (std::size_t j = 0; j < tree.coordinates.size(); ++j) {
        const double mass = (*tree.mass)(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        size = std::max(size, std::abs(mass) * changes[static_cast<std::size_t>(tree.coordinates[j])]);
      }
    }
  }
}

Eigen::Vector4d QuasiRigidProblem::velocity(const ContactElement& element, const Input& z, const VectorX& w) const {
  const ElementGeometry geometry = element_geometry(element, motion_, z);
  const ElementFrame frame(geometry.normal, friction_axis_of(element, motion_));
  const Vec3 x = impulse_point(element, geometry);
  const Vec6 V = motion_.velocity(*model_, element.body_a, x, w) - motion_.velocity(*model_, element.body_b, x, w);
  return {frame.t.dot(V.tail<3>()), frame.o.dot(V.tail<3>()), frame.n.dot(V.tail<3>()), frame.n.dot(V.head<3>())};
}

ContactInput QuasiRigidProblem::input(const ContactElement& element, const Input& z) const {
  ContactInput input;
  input.h = start_->h;
  input.gap = element_geometry(element, motion_, z).gap + element.core + element.law.slack();
  input.velocity = velocity(element, z, w_);
  input.start = element.start;
  return input;
}

void QuasiRigidProblem::add_impulse(const ContactElement& element, const Input& z, VectorX& f) const {
  const ElementGeometry geometry = element_geometry(element, motion_, z);
  const ElementFrame frame(geometry.normal, friction_axis_of(element, motion_));
  const Vec3 x = impulse_point(element, geometry);
  const Eigen::Vector4d p = element.kept * element.law.impulse(z.segment(element.law_index(), element.law.size()));
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
  impulse_.setZero(velocities_);
  for (std::size_t i = 0; i < rows_->size(); ++i) add_impulse((*rows_)[i], z[row_index(i)], impulse_);
  for (const ContactElement& element : *elements_) add_impulse(element, z, impulse_);
  change_ = w_ - start_->free;
  multiply_mass(change_, F.head(velocities_));
  F.head(velocities_) -= impulse_;
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
  const Vec3 x = impulse_point(element, geometry);
  const ContactRows law = element.law.rows(input(element, z), z.segment(element.law_index(), L));
  const Eigen::Vector4d& p = law.impulse;
  const Vec3 force = p[0] * frame.t + p[1] * frame.o + p[2] * frame.n, moment = p[3] * frame.n;
  Mat3 R;
  R << frame.t, frame.o, frame.n;

  MatrixX &by_w = local.by_w, &by_y = local.by_y;
  for (MatrixX* motions : {&by_w, &by_y, &local.of_b}) motions->resize(6, K);
  motion_.velocity_jacobian(*model_, element.body_a, x, element.coordinates, by_w);
  motion_.velocity_jacobian(*model_, element.body_b, x, element.coordinates, local.of_b);
  by_w -= local.of_b;
  motion_.velocity_slope(*model_, element.body_a, x, w_, element.coordinates, by_y);
  motion_.velocity_slope(*model_, element.body_b, x, w_, element.coordinates, local.of_b);
  by_y -= local.of_b;
  const Vec6 V = motion_.velocity(*model_, element.body_a, x, w_) - motion_.velocity(*model_, element.body_b, x, w_);
  const Vec3 spin = V.head<3>(), slip = V.tail<3>();

  // The wrench, with a sign: rows of the momentum are M (w − w_f) − impulses.
  local.wrench_by_y.setZero(K, K);
  motion_.add_force_slope(*model_, element.body_a, x, force, moment, -1, element.coordinates, local.wrench_by_y);
  motion_.add_force_slope(*model_, element.body_b, x, force, moment, 1, element.coordinates, local.wrench_by_y);
  const auto turns = by_w.topRows<3>().transpose(), shifts = by_w.bottomRows<3>().transpose();
  local.wrench_by_x.noalias() = turns * skew(force);
  const Mat3 force_by_n = p[0] * frame.t_by_n + p[1] * frame.o_by_n + p[2] * frame.n_by_n;
  const Mat3 moment_by_n = p[3] * frame.n_by_n;
  local.wrench_by_n.noalias() = -shifts * force_by_n;
  local.wrench_by_n.noalias() -= turns * moment_by_n;
  const auto p_by_z = law.impulse_by_z.leftCols(L);
  const Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, ContactRows::most> force_by_z = R * p_by_z.topRows<3>(),
                                                                          moment_by_z = frame.n * p_by_z.row(3);
  local.wrench_by_z = -shifts.lazyProduct(force_by_z) - turns.lazyProduct(moment_by_z);

  const auto in_frame = [&](const MatrixX& motions) -> const Local::Rows4& {
    local.in_frame.resize(4, K);
    local.in_frame.topRows<3>() = R.transpose().lazyProduct(motions.bottomRows<3>());
    local.in_frame.row(3) = frame.n.transpose().lazyProduct(motions.topRows<3>());
    return local.in_frame;
  };
  Eigen::Matrix<double, 4, 3> u_by_x = Eigen::Matrix<double, 4, 3>::Zero(), u_by_n;
  u_by_x.topRows<3>() = R.transpose() * skew(spin);
  u_by_n << slip.transpose() * frame.t_by_n, slip.transpose() * frame.o_by_n, slip.transpose() * frame.n_by_n,
      spin.transpose() * frame.n_by_n;
  const Local::ByUnknown<4> law_by_u = law.F_by_motion.block(0, 1, L, 4);
  local.law_by_d = law.F_by_motion.block(0, 0, L, 1);
  local.law_by_w = law_by_u.lazyProduct(in_frame(by_w));
  local.law_by_y = law_by_u.lazyProduct(in_frame(by_y));
  local.law_by_x = law_by_u * u_by_x;
  local.law_by_n = law_by_u * u_by_n;
  local.law_by_z = law.F_by_z.topLeftCorner(L, L);

  if (element.axis.body >= 0) turn_axis(element, frame, law, slip, local);
}

/// The axis of friction turns with the body that it is fixed to, and tangents with it.
void QuasiRigidProblem::turn_axis(const ContactElement& element, const ElementFrame& frame, const ContactRows& law,
                                  const Vec3& slip, Local& local) const {
  MatrixX axis(3, static_cast<Eigen::Index>(element.coordinates.size()));
  axis_slope(*model_, element, motion_, axis);
  const Mat3 force_by_axis = law.impulse[0] * frame.t_by_axis + law.impulse[1] * frame.o_by_axis;
  local.wrench_by_y -= local.by_w.bottomRows<3>().transpose() * force_by_axis * axis;
  Eigen::Matrix<double, 2, 3> slip_by_axis;
  slip_by_axis << slip.transpose() * frame.t_by_axis, slip.transpose() * frame.o_by_axis;
  local.law_by_y += law.F_by_motion.block(0, 1, element.law.size(), 2) * slip_by_axis * axis;
}

void QuasiRigidProblem::fill_closest_points(const ContactElement& element, const Input& z, Local& local,
                                            Entries& J) const {
  const int first = element.first, n = element.geometry_size();
  const Transform X_A = motion_.pose(element.body_a) * element.X_AS, X_B = motion_.pose(element.body_b) * element.X_BS;
  const auto K = static_cast<Eigen::Index>(element.coordinates.size());
  local.own.setZero(n, n);
  local.by_pose.setZero(n, 12);
  MatrixX &displacement = local.of_b, &by_y = local.geometry_by_y;
  displacement.resize(6, K);
  element.system().jacobian(X_A, X_B, z.segment(first, n), local.own);
  element.system().pose_jacobian(X_A, X_B, z.segment(first, n), local.by_pose);
  J.add_block(from(first), from(first), local.own);
  motion_.velocity_jacobian(*model_, element.body_a, X_A.p, element.coordinates, displacement);
  by_y = local.by_pose.leftCols<6>().lazyProduct(displacement);
  motion_.velocity_jacobian(*model_, element.body_b, X_B.p, element.coordinates, displacement);
  by_y += local.by_pose.rightCols<6>().lazyProduct(displacement);
  motion_.to_velocity(*model_, element.coordinates, by_y);
  J.add_block(from(first), of(element.coordinates), by_y);
}

void QuasiRigidProblem::fill_element(const ContactElement& element, const Input& z, Local& local, Entries& J) const {
  differentiate(element, z, local);
  const auto K = static_cast<Eigen::Index>(element.coordinates.size());
  const int law = element.law_index();
  const auto momentum = of(element.coordinates);
  const auto rows = from(law);
  if (element.is_smooth) {
    fill_closest_points(element, z, local, J);
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
    MatrixX& slope = local.slope;
    slope.resize(10, K);
    corner_slope(*model_, element, motion_, slope);
    local.x_by_y = impulse_point_slope(element, slope);
    local.wrench_by_y += local.wrench_by_x.lazyProduct(local.x_by_y);
    local.wrench_by_y += local.wrench_by_n.lazyProduct(slope.middleRows<3>(6));
    local.law_by_y += local.law_by_x.lazyProduct(local.x_by_y);
    local.law_by_y += local.law_by_n.lazyProduct(slope.middleRows<3>(6));
    local.law_by_y.noalias() += local.law_by_d * slope.row(9);
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
  for (const TreeBlock& tree : trees_) J.add_block(of(tree.coordinates), of(tree.coordinates), *tree.mass);
  for (std::size_t i = 0; i < rows_->size(); ++i) fill_row(i, J);
  for (std::size_t i = 0; i < elements_->size(); ++i) fill_element((*elements_)[i], z, locals_[i], J);
}

void QuasiRigidProblem::jacobian(const Input& z, Eigen::Ref<MatrixX> J) {
  Entries entries(J);
  fill(z, entries);
}

void QuasiRigidProblem::jacobian(const Input& z, Eigen::SparseMatrix<double>& J) {
  if (!slots_.empty() && J.nonZeros() == nonzeros_) {
    std::fill_n(J.valuePtr(), nonzeros_, 0.0);
    Entries entries(J.valuePtr(), slots_);
    fill(z, entries);
    return;
  }
  triplets_.clear();
  Entries entries(triplets_);
  fill(z, entries);
  J.resize(size_, size_);
  J.setFromTriplets(triplets_.begin(), triplets_.end());
  J.makeCompressed();
  nonzeros_ = J.nonZeros();
  slots_.clear();
  for (const Eigen::Triplet<double>& entry : triplets_) {
    const int* const column = J.innerIndexPtr() + J.outerIndexPtr()[entry.col()];
    const int* const next = J.innerIndexPtr() + J.outerIndexPtr()[entry.col() + 1];
    slots_.push_back(static_cast<int>(std::lower_bound(column, next, entry.row()) - J.innerIndexPtr()));
  }
}

}  // namespace carom
