#include "carom/impact/propagative/plastic_projection.h"

#include "carom/complementarity/polyhedral/lemke.h"

namespace carom {

namespace {

PlasticProjection from(const NormalBlow& blow, const Eigen::VectorXd& pi) {
  PlasticProjection result;
  result.impulse = blow.impulse_of(pi);
  result.velocity = blow.velocity_of(blow.approach + blow.cosine * pi);
  return result;
}

}  // namespace

PlasticProjection plastic_span(const NormalBlow& blow) {
  // cosine = F Fᵀ with orthogonal columns of F, so its pseudoinverse is Σ f fᵀ / ‖f‖⁴.
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(blow.size());
  for (Eigen::Index j = 0; j < blow.rank(); ++j) {
    const double eigenvalue = blow.factor.col(j).squaredNorm();
    pi -= blow.factor.col(j).dot(blow.approach) / (eigenvalue * eigenvalue) * blow.factor.col(j);
  }
  return from(blow, pi);
}

PlasticProjection plastic_cone(const NormalBlow& blow) {
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(blow.size());
  SolveStatus status = SolveStatus::solved;
  if (blow.size() > 0 && blow.approach.minCoeff() < 0) {
    LemkeSolver solver;
    status = solver.solve(blow.cosine, blow.approach, LcpOptions{}, pi).status;
  }
  PlasticProjection result = from(blow, pi);
  result.status = status;
  return result;
}

}  // namespace carom
