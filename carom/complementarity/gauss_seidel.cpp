#include "carom/complementarity/gauss_seidel.h"

#include <cmath>

namespace carom {

namespace {

void relax(const ConeSystem& system, OneContact& contact, double* p, double* w) {
  double b[OneContact::max_size], next[OneContact::max_size], change[OneContact::max_size];
  double* own = p + contact.row();
  for (int i = 0; i < contact.size(); ++i) {
    double sum = w[contact.row() + i];
    for (int j = 0; j < contact.size(); ++j) sum -= contact.entry(i, j) * own[j];
    b[i] = sum;
  }
  contact.solve(b, next);
  bool changed = false;
  for (int i = 0; i < contact.size(); ++i) {
    change[i] = next[i] - own[i];
    changed = changed || change[i] != 0;
    own[i] = next[i];
  }
  if (changed) system.add_response(contact, change, w);
}

}  // namespace

GaussSeidelResult sweep_blocks(ConeSystem& system, double tolerance, int max_sweeps, double* p, double* w) {
  GaussSeidelResult result;
  result.residual = system.residual(p, w);
  std::vector<OneContact>& contacts = system.contacts();
  while (result.residual > tolerance && result.sweeps < max_sweeps) {
    if (result.sweeps % 2 == 0) {
      for (OneContact& contact : contacts) relax(system, contact, p, w);
    } else {
      for (auto contact = contacts.rbegin(); contact != contacts.rend(); ++contact) relax(system, *contact, p, w);
    }
    ++result.sweeps;
    const double before = result.residual;
    result.residual = system.residual(p, w);
    result.rate = result.residual / before;
  }
  return result;
}

}  // namespace carom
