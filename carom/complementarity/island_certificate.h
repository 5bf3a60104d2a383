#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/islands.h"

namespace carom {

/// The certificate of a problem that may fall into islands (islands.h). It is that of the whole, but each residual is
/// the worse of the whole's and of the islands', judged by their own sizes. So a large body does not excuse a small one
/// beside it. Velocities and energies are those of the whole A, where a wrong cut would show. Keeps its buffers.
class IslandCertifier {
 public:
  /// `beside`: impulses of another phase of the same impact, or empty. An island whose impulses are below 1e-9 of its
  /// impulses there is round-off of that phase. It is then not judged by its own sizes.
  SolveCertificate certify(const ContactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& impulse,
                           int directions, std::span<const double> beside = {});

  /// Makes room for any problem of so many blocks.
  void reserve(int blocks);

 private:
  Islands islands_;
  IslandProblem island_;
  std::vector<double> impulse_;
};

}  // namespace carom
