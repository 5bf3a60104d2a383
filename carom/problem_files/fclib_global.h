#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <string>

#include "carom/problem_files/fclib_local.h"
#include "carom/problem_files/stored_problem.h"

namespace carom {

/// FCLib's global problem with friction (fclib.h 3.1, struct fclib_global), velocities v of the bodies kept:
///
///     M v = H r + G λ + f,   u = Hᵀ v + w,   0 = Gᵀ v + b
///
/// The contact conditions of the local problem hold for u and r. M: n × n, symmetric (to 1e-6 of its largest entry) and
/// positive definite; H: n × m; G: n × p; f: n; w: m; b: p; μ: m / dimension.
struct FclibGlobal {
  int dimension = 3;
  Eigen::SparseMatrix<double> M, H, G;
  Eigen::VectorXd f, w, b, mu;
};

/// Non-zeros of A beyond which it is not formed but applied as [H G]ᵀ M⁻¹ [H G]: 512 MB.
constexpr double most_entries = 6.4e7;

/// The local problem after elimination of v:
///
///     W = Hᵀ M⁻¹ H,   V = Hᵀ M⁻¹ G,   R = Gᵀ M⁻¹ G,   q = Hᵀ M⁻¹ f + w,   s = Gᵀ M⁻¹ f + b
///
/// It uses sparse factors L D Lᵀ of M, a column at a time, and costs O(m (non-zeros of L)). If A has more than `most`
/// entries it becomes a product. If M is not quite symmetric, (M + Mᵀ) / 2 is taken. A remark in the notes tells so if
/// the difference was more than round-off. Throws Error if M is further from symmetric, or not positive definite.
StoredProblem problem_of(const FclibGlobal& global, const std::string& file, double most = most_entries);

}  // namespace carom
