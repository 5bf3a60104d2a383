#include "carom/complementarity/island_certificate.h"

#include <algorithm>
#include <cmath>

namespace carom {

void IslandCertifier::reserve(int blocks) {
  islands_.reserve(blocks);
  island_.reserve(4 * blocks, blocks);
  impulse_.reserve(std::size_t{4} * blocks);
}

SolveCertificate IslandCertifier::certify(const ContactProblem& problem,
                                          const Eigen::Ref<const Eigen::VectorXd>& impulse, int directions,
                                          std::span<const double> beside) {
  SolveCertificate result = carom::certify(problem, impulse, directions);
  islands_.find(problem);
  if (islands_.count() < 2) return result;
  SolveCertificate worst = result;
  for (int i = 0; i < islands_.count(); ++i) {
    const std::span<const int> rows = islands_.rows(i);
    impulse_.clear();
    double largest = 0, largest_beside = 0;
    for (const int row : rows) {
      impulse_.push_back(impulse(row));
      largest = std::max(largest, std::abs(impulse(row)));
      if (!beside.empty()) largest_beside = std::max(largest_beside, std::abs(beside[row]));
    }
    if (!beside.empty() && !(largest > 1e-9 * largest_beside)) continue;
    island_.copy(problem, islands_, i);
    const Eigen::Map<const Eigen::VectorXd> p(impulse_.data(), static_cast<Eigen::Index>(rows.size()));
    keep_worst(carom::certify(island_.problem(), p, directions), worst);
  }
  worst.contact_work = result.contact_work;
  worst.push_out = result.push_out;
  worst.worst_work = result.worst_work;
  worst.worst_block = result.worst_block;
  return worst;
}

}  // namespace carom
