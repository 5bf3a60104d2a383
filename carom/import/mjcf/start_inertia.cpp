#include "carom/import/mjcf/reader.h"
#include "carom/spatial/exponential_product.h"

// The mass matrix at the layout of the file by composite inertias (Featherstone 2008, section 6.2), in world axes. M_ij
// = s_iᵀ I_j s_j where body j hangs on i, with I_j the inertia of all that moves with j. The reflected inertia is added
// on the diagonal. MuJoCo's dof_M0 is that diagonal; dof_invweight0 of a scalar joint is the inverse's diagonal. A
// rotation and a displacement have its mean over their three axes, which no choice of the axes changes.
namespace carom::mjcf {
namespace {

/// The joint's motions for unit rates, in the world about its origin.
Eigen::MatrixXd motions(const ImportedModel::Link& link, const Transform& X_WB) {
  if (link.joint && link.joint->type == JointType::fixed) return Eigen::MatrixXd(6, 0);
  Eigen::MatrixXd S = Eigen::MatrixXd::Identity(6, 6);
  Transform X_WM = X_WB;
  if (link.joint) {
    X_WM = X_WB * link.joint->X_BM;
    if (link.joint->type == JointType::spherical) S = S.leftCols(3).eval();
    if (has_scalar_coordinates(link.joint->type)) {
      const VectorX q = link.position.size() > 0 ? link.position : VectorX::Zero(velocity_size(*link.joint));
      S = exponential_product(coordinate_twists(*link.joint), q).S;
    }
  }
  for (int k = 0; k < S.cols(); ++k) S.col(k) = X_WM.motion(S.col(k));
  return S;
}

}  // namespace

StartInertia start_inertia(const Reader& reader) {
  const std::vector<ImportedModel::Link>& links = reader.model.links;
  std::vector<Eigen::MatrixXd> S;
  std::vector<Mat6> composite;
  StartInertia start;
  int count = 0;
  for (const ImportedModel::Link& link : links) {
    // Bodies of the file after the world are its links, in its order.
    const Transform& X_WB = reader.bodies[S.size() + 1].X_WB;
    S.push_back(motions(link, X_WB));
    composite.push_back(link.inertia.in(X_WB).matrix());
    start.first.push_back(count);
    count += static_cast<int>(S.back().cols());
  }
  for (std::size_t i = links.size(); i-- > 0;) {
    const int parent = links[i].joint ? links[i].joint->parent : -1;
    if (parent >= 0) composite[parent] += composite[i];
  }
  start.matrix = Eigen::MatrixXd::Zero(count, count);
  for (std::size_t j = 0; j < links.size(); ++j) {
    const Eigen::MatrixXd F = composite[j] * S[j];
    const auto n = S[j].cols();
    for (int i = static_cast<int>(j); i >= 0; i = links[i].joint ? links[i].joint->parent : -1) {
      start.matrix.block(start.first[i], start.first[j], S[i].cols(), n) = S[i].transpose() * F;
      start.matrix.block(start.first[j], start.first[i], n, S[i].cols()) = F.transpose() * S[i];
    }
    if (links[j].joint && links[j].joint->reflected_inertia.size() == n) {
      start.matrix.diagonal().segment(start.first[j], n) += links[j].joint->reflected_inertia;
    }
  }
  return start;
}

void set_spring_dampers(Reader& reader) {
  const bool any = std::any_of(reader.joints.begin(), reader.joints.end(),
                               [](const FileJoint& joint) { return joint.time_constant > 0; });
  if (!any || !reader.faults.empty()) return;
  const StartInertia start = start_inertia(reader);
  const Eigen::MatrixXd inverse =
      start.matrix.ldlt().solve(Eigen::MatrixXd::Identity(start.matrix.rows(), start.matrix.cols()));
  for (const FileJoint& from : reader.joints) {
    if (!(from.time_constant > 0)) continue;
    Joint& joint = *reader.model.links[from.link].joint;
    const int n = velocity_size(joint), at = start.first[from.link] + from.coordinate;
    const int own = from.kind == FileJoint::Kind::scalar ? 1 : n;
    const double inertia = own / inverse.diagonal().segment(at, own).sum();
    const double t = from.time_constant, ratio = from.damping_ratio;
    if (joint.stiffness.size() == 0) joint.stiffness = VectorX::Zero(n);
    if (joint.damping.size() == 0) joint.damping = VectorX::Zero(n);
    if (joint.rest.size() == 0) joint.rest = VectorX::Zero(n);
    const double stiffness = reader.global.springs ? inertia / (t * t * ratio * ratio) : 0;
    joint.stiffness.segment(from.coordinate, own).setConstant(stiffness);
    joint.damping.segment(from.coordinate, own).setConstant(reader.global.dampers ? 2 * inertia / t : 0);
  }
}

}  // namespace carom::mjcf
