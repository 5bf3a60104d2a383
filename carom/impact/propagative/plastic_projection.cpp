#include "carom/impact/propagative/plastic_projection.h"

#include "carom/complementarity/polyhedral/lemke.h"

namespace carom {

namespace {

PlasticProjection from(const NormalImpact& impact, const Eigen::VectorXd& pi) {
  PlasticProjection result;
  result.impulse = impact.impulse_of(pi);
  result.velocity = impact.velocity_of(impact.approach + impact.cosine * pi);
  return result;
}

}  // namespace

PlasticProjection plastic_span(const NormalImpact& impact) {
  // cosine = F Fᵀ with orthogonal columns of F, so its pseudoinverse is Σ f fᵀ / ‖f‖⁴.
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(impact.size());
  for (Eigen::Index j = 0; j < impact.rank(); ++j) {
    const double eigenvalue = impact.factor.col(j).squaredNorm();
    pi -= impact.factor.col(j).dot(impact.approach) / (eigenvalue * eigenvalue) * impact.factor.col(j);
  }
  return from(impact, pi);
}

PlasticProjection plastic_cone(const NormalImpact& impact) {
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(impact.size());
  SolveStatus status = SolveStatus::solved;
  if (impact.size() > 0 && impact.approach.minCoeff() < 0) {
    LemkeSolver solver;
    status = solver.solve(impact.cosine, impact.approach, LcpOptions{}, pi).status;
  }
  PlasticProjection result = from(impact, pi);
  result.status = status;
  return result;
}

}  // namespace carom
