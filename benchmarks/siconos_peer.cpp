#include "benchmarks/siconos_peer.h"

#include "benchmarks/guarded_calls.h"

#ifdef CAROM_HAS_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#endif

namespace carom::bench {

const char* name(SiconosMethod method) {
  constexpr const char* names[] = {"NSGS", "PROX", "NSN_AC", "ADMM", "Lemke"};
  return names[static_cast<int>(method)];
}

#ifdef CAROM_HAS_SICONOS

bool siconos_is_there() { return true; }

SiconosConeProblem::SiconosConeProblem(const ContactProblem& problem)
    : contacts_(static_cast<int>(problem.blocks.size())) {
  const Eigen::Index k = problem.u.size();
  Eigen::MatrixXd A(k, k);
  problem.A.copy_to(A);
  std::vector<Eigen::Index> order;
  for (const Block& block : problem.blocks) {
    order.insert(order.end(), {block.row + 2, block.row, block.row + 1});
    friction_.push_back(block.friction.x());
  }
  W_.resize(k, k);
  q_.resize(k);
  for (Eigen::Index j = 0; j < k; ++j) {
    q_(j) = problem.u(order[static_cast<std::size_t>(j)]);
    for (Eigen::Index i = 0; i < k; ++i) {
      W_(i, j) = A(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
    }
  }
  for (int c = 0; c < contacts_; ++c) q_(3 * c) += problem.blocks[static_cast<std::size_t>(c)].offset;
  reaction_.resize(k);
  velocity_.resize(k);
}

SiconosRun SiconosConeProblem::solve(SiconosMethod method, double tolerance) {
  constexpr int ids[] = {SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSN_AC,
                         SICONOS_FRICTION_3D_ADMM};
  numerics_set_verbose(0);
  SolverOptions* options = solver_options_create(ids[static_cast<int>(method)]);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  if (options->iparam[SICONOS_IPARAM_MAX_ITER] < 10000) options->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
  reaction_.setZero();
  velocity_.setZero();
  NumericsMatrix* W = NM_new();
  NM_fill(W, NM_DENSE, 3 * contacts_, 3 * contacts_, W_.data());
  FrictionContactProblem problem{3, contacts_, W, q_.data(), friction_.data()};
  const double start = processor_seconds();
  const int info = fc3d_driver(&problem, reaction_.data(), velocity_.data(), options);
  const double seconds = processor_seconds() - start;
  solver_options_delete(options);
  W->matrix0 = nullptr;  // ours
  NM_free(W);
  return {seconds, info == 0};
}

Eigen::VectorXd SiconosConeProblem::impulse() const {
  Eigen::VectorXd p(reaction_.size());
  for (int c = 0; c < contacts_; ++c) {
    p(3 * c) = reaction_(3 * c + 1);
    p(3 * c + 1) = reaction_(3 * c + 2);
    p(3 * c + 2) = reaction_(3 * c);
  }
  return p;
}

SiconosRun solve_siconos_lcp(const Eigen::MatrixXd& R, const Eigen::VectorXd& q, Eigen::VectorXd& z) {
  const auto n = static_cast<int>(q.size());
  numerics_set_verbose(0);
  SolverOptions* options = solver_options_create(SICONOS_LCP_LEMKE);
  if (options->iparam[SICONOS_IPARAM_MAX_ITER] < 100 * n) options->iparam[SICONOS_IPARAM_MAX_ITER] = 100 * n;
  Eigen::MatrixXd matrix = R;
  Eigen::VectorXd vector = q, w = Eigen::VectorXd::Zero(n);
  z = Eigen::VectorXd::Zero(n);
  NumericsMatrix* M = NM_new();
  NM_fill(M, NM_DENSE, n, n, matrix.data());
  LinearComplementarityProblem problem{n, M, vector.data()};
  int info = 0;
  const double start = processor_seconds();
  lcp_lexicolemke(&problem, z.data(), w.data(), &info, options);
  const double seconds = processor_seconds() - start;
  solver_options_delete(options);
  M->matrix0 = nullptr;
  NM_free(M);
  return {seconds, info == 0};
}

#else

bool siconos_is_there() { return false; }
SiconosConeProblem::SiconosConeProblem(const ContactProblem&) {}
SiconosRun SiconosConeProblem::solve(SiconosMethod, double) { return {}; }
Eigen::VectorXd SiconosConeProblem::impulse() const { return {}; }
SiconosRun solve_siconos_lcp(const Eigen::MatrixXd&, const Eigen::VectorXd&, Eigen::VectorXd&) { return {}; }

#endif

}  // namespace carom::bench
