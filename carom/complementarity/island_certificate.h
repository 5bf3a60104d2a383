#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/islands.h"

namespace carom {

/// The certificate of a problem that may fall into islands (islands.h): that of the whole, with each residual the worse
/// of the whole's and of the islands', judged by their own sizes. So a small body is not excused by a large one beside
/// it. Velocities and energies are those of the whole A: what a wrong cut would spoil shows there. Keeps its buffers.
class IslandCertifier {
 public:
  /// `beside`: impulses of another phase of the same impact, or empty. An island whose impulses are below 1e-9 of its
  /// impulses there is round-off of that phase, and has no sizes of its own to be judged by.
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
