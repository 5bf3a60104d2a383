#include "carom/complementarity/polyhedral/lemke_basis.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "carom/complementarity/linear/dense_kernels.h"
#include "carom/complementarity/worse_of.h"

namespace carom {

namespace {

/// Residual of a column, relative to its size, above which C has lost its digits.
constexpr double lost_above = 1e-9;
constexpr int refinements = 3;

/// A basis whose pivots span more than this is singular to working precision.
constexpr double basis_rank_tolerance = 1e-14;

/// Relative to its column, a pivot of a start that is made one by one.
constexpr double insertion_tolerance = 1e-7;

}  // namespace

void LemkeBasis::bind(LcpMatrix& R) {
  R_ = &R;
  n_ = R.size();
  for (auto* vector : {&row_, &core_z_, &core_left_, &delta_}) vector->resize(n_ + 1);
  for (auto* vector : {&rhs_, &unit_, &covering_}) vector->assign(n_, 0.0);
  slots_.reserve(n_ + 1);
  rows_.reserve(n_ + 1);
  wanted_.reserve(n_ + 1);
  entries_.resize(n_ + 1);
  inserted_.reserve(2 * n_ + 1);
  const auto groups = R.groups();
  group_of_.assign(n_, -1);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    group_of_[groups[g].cap] = static_cast<int>(g);
    for (int i = 0; i < groups[g].count; ++i) group_of_[groups[g].first + i] = static_cast<int>(g);
  }
  key_entry_.resize(groups.size());
  stride_ = 0;
  clear();
  make_room(R.largest_core() + 3);  // z₀, and a group that is released
  lu_.reserve(R.largest_core() + 1);
}

void LemkeBasis::clear() {
  slots_.clear();
  rows_.clear();
  slot_of_z_.assign(n_ + 1, -1);
  column_of_row_.assign(n_, -1);
  basic_.assign(2 * n_ + 1, 0);
  std::fill(basic_.begin(), basic_.begin() + n_, 1);
  key_.assign(R_->groups().size(), -1);
}

void LemkeBasis::make_room(int order) {
  if (order <= stride_) return;
  const int before = stride_;
  stride_ = order;
  inverse_.resize(static_cast<std::size_t>(stride_) * stride_);
  for (int c = static_cast<int>(rows_.size()) - 1; c > 0; --c) {
    const double* old = inverse_.data() + static_cast<std::size_t>(c) * before;
    std::copy_backward(old, old + core(), inverse_column(c) + core());
  }
}

void LemkeBasis::append_slot(int z) {
  slot_of_z_[z] = core();
  slots_.push_back(z);
}

void LemkeBasis::append_row(int row) {
  column_of_row_[row] = static_cast<int>(rows_.size());
  rows_.push_back(row);
}

void LemkeBasis::drop_slot(int z) {
  const int slot = slot_of_z_[z], last = core() - 1;
  if (slot != last) {
    for (std::size_t c = 0; c < rows_.size(); ++c) {
      double* column = inverse_column(static_cast<int>(c));
      column[slot] = column[last];
    }
    slots_[slot] = slots_[last];
    slot_of_z_[slots_[slot]] = slot;
  }
  slot_of_z_[z] = -1;
  slots_.pop_back();
}

void LemkeBasis::drop_row(int row) {
  const int c = column_of_row_[row], last = static_cast<int>(rows_.size()) - 1;
  if (c != last) {
    std::copy_n(inverse_column(last), slots_.size(), inverse_column(c));
    rows_[c] = rows_[last];
    column_of_row_[rows_[c]] = c;
  }
  column_of_row_[row] = -1;
  rows_.pop_back();
}

int LemkeBasis::key_of_row(int row) const {
  const int group = R_->member_group(row);
  return group < 0 ? -1 : key_[group];
}

void LemkeBasis::take(std::span<const int> basic) {
  clear();
  for (const int j : basic) {
    basic_[n_ + j] = 1;
    basic_[j] = 0;
  }
  for (std::size_t g = 0; g < key_.size(); ++g) key_[g] = key_candidate(static_cast<int>(g));
  make_room(static_cast<int>(basic.size()) + 3);
  for (const int j : basic) {
    const int group = group_of_[j];
    if (group >= 0 && key_[group] >= 0 && (j == key_[group] || j == R_->groups()[group].cap)) continue;
    append_slot(j);
    append_row(j);
  }
}

void LemkeBasis::start(std::span<const int> basic) {
  take(basic);
  if (!refactorize()) insert_one_by_one(basic);
}

void LemkeBasis::insert_one_by_one(std::span<const int> basic) {
  // Groups that can be keyed are independent of each other and of all else, so only the rest is in doubt.
  wanted_.clear();
  for (std::size_t g = 0; g < key_.size(); ++g) {
    if (key_[g] < 0) continue;
    wanted_.push_back(key_[g]);
    wanted_.push_back(R_->groups()[g].cap);
  }
  take(wanted_);
  for (int pass = 0; pass < 2; ++pass) {
    for (const int j : basic) {
      if (is_basic(n_ + j) || !column(n_ + j, inserted_)) continue;
      const double pivot_size = std::abs(inserted_[j]);
      if (pivot_size > insertion_tolerance * dense::largest(2 * n_ + 1, inserted_.data())) pivot(n_ + j, j, inserted_);
    }
  }
}

bool LemkeBasis::refactorize() {
  const int k = core();
  if (k == 0) return true;
  double* basis = lu_.prepare(k);
  std::fill(delta_.begin(), delta_.end(), 0.0);
  for (int s = 0; s < k; ++s) {
    const int z = slots_[s];
    std::fill(rhs_.begin(), rhs_.end(), 0.0);
    if (z == n_) {  // z₀, and the keys that it moves
      for (std::size_t g = 0; g < key_.size(); ++g) {
        if (key_[g] >= 0) delta_[key_[g]] = covering_[R_->groups()[g].cap];
      }
      R_->multiply_add(delta_.data(), rhs_.data());
      dense::add_scaled(n_, 1.0, covering_.data(), rhs_.data());
      for (const int member : key_) {
        if (member >= 0) delta_[member] = 0;
      }
    } else {
      R_->add_column(z, 1.0, rhs_.data());
      const int group = R_->cap_group(z);
      if (group >= 0 && key_[group] >= 0) R_->add_column(key_[group], R_->cap_entry(z), rhs_.data());
    }
    for (int c = 0; c < k; ++c) {
      const int key_row = key_of_row(rows_[c]);
      basis[static_cast<std::size_t>(s) * k + c] = (key_row < 0 ? 0.0 : rhs_[key_row]) - rhs_[rows_[c]];
    }
  }
  if (lu_.factor(basis_rank_tolerance) < k) return false;
  for (int c = 0; c < k; ++c) {
    double* column = inverse_column(c);
    std::fill(column, column + k, 0.0);
    column[c] = 1;
    lu_.solve(column);
  }
  return true;
}

void LemkeBasis::reduce_to_core(const double* a, double* z) {
  const int k = core();
  std::fill(z, z + k, 0.0);
  dense::ColumnSum sum(k, z);
  for (int c = 0; c < k; ++c) {
    const int key_row = key_of_row(rows_[c]);
    sum.add(key_row < 0 ? a[rows_[c]] : a[rows_[c]] - a[key_row], inverse_column(c));
  }
}

void LemkeBasis::add_solution(BasisVector& x) {
  double* w = x.data();
  const auto groups = R_->groups();
  std::fill(delta_.begin(), delta_.end(), 0.0);
  const double* a = w;
  bool moved = false;  // keys by their own rows
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (key_[g] < 0 || w[groups[g].cap] == 0) continue;
    if (!moved) std::copy_n(w, n_, rhs_.data());
    moved = true;
    delta_[key_[g]] = w[groups[g].cap];
  }
  if (moved) {
    R_->multiply_add(delta_.data(), rhs_.data());
    a = rhs_.data();
  }
  reduce_to_core(a, core_z_.data());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (key_[g] >= 0) key_entry_[g] = w[groups[g].cap];
  }
  const double z0 = slot_of_z_[n_] < 0 ? 0.0 : core_z_[slot_of_z_[n_]];
  for (int s = 0; s < core(); ++s) {
    const int z = slots_[s];
    delta_[z] = core_z_[s];
    if (z < n_ && R_->cap_group(z) >= 0) key_entry_[R_->cap_group(z)] += R_->cap_entry(z) * core_z_[s];
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (key_[g] >= 0) delta_[key_[g]] = key_entry_[g] + covering_[groups[g].cap] * z0;
  }
  R_->multiply_add(delta_.data(), w);
  if (z0 != 0) dense::add_scaled(n_, z0, covering_.data(), w);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (key_[g] < 0) continue;
    const double cap = -w[key_[g]];
    delta_[groups[g].cap] = cap;
    for (int i = 0; i < groups[g].count; ++i) w[groups[g].first + i] += cap;
    w[groups[g].cap] = 0;  // but for the rounding of the sum that gave the key
  }
  for (int z = 0; z <= n_; ++z) x[n_ + z] += delta_[z];
}

double LemkeBasis::core_residual(const BasisVector& x) const {
  double size = 0;
  for (const int row : rows_) {
    size = worse_of(size, std::abs(x[row]));
  }
  return size;
}

bool LemkeBasis::solve(const double* a, BasisVector& x, double refine_above) {
  x.resize(2 * n_ + 1);
  std::copy_n(a, n_, x.data());
  std::fill(x.begin() + n_, x.end(), 0.0);
  const double right_side = dense::largest(n_, a);
  add_solution(x);
  const double size = right_side + dense::largest(n_ + 1, x.data() + n_);
  double residual = core_residual(x);
  for (int i = 0; i < refinements && residual > refine_above * size; ++i) {
    const double before = residual;
    add_solution(x);
    residual = core_residual(x);
    if (!(residual < 0.5 * before)) break;
  }
  for (const int row : rows_) x[row] = 0;
  return residual <= lost_above * size;
}

bool LemkeBasis::column(int variable, BasisVector& x, double refine_above) {
  if (variable < n_) {
    unit_[variable] = 1;
  } else if (variable < 2 * n_) {
    R_->add_column(variable - n_, -1.0, unit_.data());
  } else {
    dense::add_scaled(n_, -1.0, covering_.data(), unit_.data());
  }
  const bool accurate = solve(unit_.data(), x, refine_above);
  std::fill(unit_.begin(), unit_.end(), 0.0);
  return accurate;
}

double LemkeBasis::cap_sum(int group, const double* core_z) const {
  const int z0 = slot_of_z_[n_];
  double sum = z0 < 0 ? 0.0 : covering_[R_->groups()[group].cap] * core_z[z0];
  for (int s = 0; s < core(); ++s) {
    if (slots_[s] < n_ && R_->cap_group(slots_[s]) == group) sum += R_->cap_entry(slots_[s]) * core_z[s];
  }
  return sum;
}

void LemkeBasis::row_over_core(int row, int minus, double* entries) {
  // Row `row` less row `minus` of [R, d] over the basic z, keys and caps of keyed groups expressed by the core.
  const int k = core(), z0 = slot_of_z_[n_];
  wanted_.assign(slots_.begin(), slots_.end());
  for (const int member : key_) {
    if (member >= 0) wanted_.push_back(member);
  }
  R_->row(row, wanted_, entries_.data());
  std::copy_n(entries_.data(), k, entries);
  int position = k;
  for (std::size_t g = 0; g < key_.size(); ++g) {
    if (key_[g] >= 0) key_entry_[g] = entries_[position++];
  }
  if (minus >= 0) {
    R_->row(minus, wanted_, entries_.data());
    for (int s = 0; s < k; ++s) entries[s] -= entries_[s];
    position = k;
    for (std::size_t g = 0; g < key_.size(); ++g) {
      if (key_[g] >= 0) key_entry_[g] -= entries_[position++];
    }
  }
  for (int s = 0; s < k; ++s) {
    const int group = slots_[s] < n_ ? R_->cap_group(slots_[s]) : -1;
    if (group >= 0 && key_[group] >= 0) entries[s] += key_entry_[group] * R_->cap_entry(slots_[s]);
  }
  if (z0 >= 0) {
    entries[z0] = covering_[row] - (minus < 0 ? 0.0 : covering_[minus]);
    for (std::size_t g = 0; g < key_.size(); ++g) {
      if (key_[g] >= 0) entries[z0] += key_entry_[g] * covering_[R_->groups()[g].cap];
    }
  }
}

void LemkeBasis::row_of_inverse(int variable) {
  const int k = core();
  if (variable >= n_ && slot_of_z_[variable - n_] >= 0) {
    const int slot = slot_of_z_[variable - n_];
    for (int c = 0; c < k; ++c) row_[c] = inverse_column(c)[slot];
    return;
  }
  const int pair = variable < n_ ? variable : variable - n_;
  const int group = group_of_[pair];
  if (variable >= n_ && R_->groups()[group].cap != pair) {  // a key
    for (int c = 0; c < k; ++c) row_[c] = cap_sum(group, inverse_column(c));
    return;
  }
  const bool is_cap = variable >= n_;
  row_over_core(is_cap ? key_[group] : variable, is_cap ? -1 : key_of_row(variable), core_left_.data());
  const double sign = is_cap ? -1 : 1;
  for (int c = 0; c < k; ++c) row_[c] = sign * dense::dot(k, core_left_.data(), inverse_column(c));
}

void LemkeBasis::begin_row(int variable, std::vector<double>& entries) {
  // x = ψ·(a + R z⁰) with z⁰ the keys that caps' rows ask for, as in add_solution; here ψ without these rows.
  entries.assign(2 * n_, 0.0);
  double* psi = entries.data();
  const auto add = [&](int row, double x) {
    psi[row] += x;
    if (const int key_row = key_of_row(row); key_row >= 0) psi[key_row] -= x;
  };
  row_of_inverse(variable);
  for (std::size_t c = 0; c < rows_.size(); ++c) add(rows_[c], row_[c]);
  if (variable < n_) {
    add(variable, 1);
  } else if (slot_of_z_[variable - n_] < 0 && R_->is_cap(variable - n_)) {
    psi[key_[group_of_[variable - n_]]] -= 1;  // a keyed cap, from its key's row
  }
}

void LemkeBasis::complete_row(int variable, std::vector<double>& entries) {
  double *psi = entries.data(), *of_z = entries.data() + n_;
  R_->multiply_transposed_add(psi, of_z);
  for (std::size_t g = 0; g < key_.size(); ++g) {
    if (key_[g] < 0) continue;
    psi[R_->groups()[g].cap] = of_z[key_[g]] + (variable == n_ + key_[g] ? 1.0 : 0.0);
  }
  for (int j = 0; j < n_; ++j) {
    const int group = R_->cap_group(j);
    if (group >= 0 && key_[group] >= 0) of_z[j] += R_->cap_entry(j) * psi[R_->groups()[group].cap];
  }
}

int LemkeBasis::key_candidate(int group) const {
  const LcpMatrix::Group& g = R_->groups()[group];
  if (!is_basic(n_ + g.cap) || is_basic(g.cap)) return -1;
  for (int member = g.first; member < g.first + g.count; ++member) {
    if (is_basic(n_ + member) && !is_basic(member)) return member;
  }
  return -1;
}

void LemkeBasis::key_if_possible(int group) {
  const int member = key_candidate(group);
  if (member < 0) return;
  for (const int pair : {member, R_->groups()[group].cap}) {
    drop_slot(pair);
    drop_row(pair);
  }
  key_[group] = member;
}

void LemkeBasis::release(int group) {
  const int k = core(), member = key_[group], cap = R_->groups()[group].cap;
  make_room(k + 2);
  row_over_core(member, -1, core_left_.data());
  double *of_member = inverse_column(k), *of_cap = inverse_column(k + 1);  // columns of w_βj and w_λ
  std::fill(of_member, of_member + k, 0.0);
  for (int c = 0; c < k; ++c) {
    if (R_->member_group(rows_[c]) == group) dense::add_scaled(k, -1.0, inverse_column(c), of_member);
  }
  std::fill(rhs_.begin(), rhs_.end(), 0.0);
  R_->add_column(member, 1.0, rhs_.data());
  reduce_to_core(rhs_.data(), of_cap);
  of_member[k] = cap_sum(group, of_member);
  of_member[k + 1] = -(1 + dense::dot(k, core_left_.data(), of_member));
  of_cap[k] = 1 + cap_sum(group, of_cap);
  of_cap[k + 1] = -(rhs_[member] + dense::dot(k, core_left_.data(), of_cap));
  for (int c = 0; c < k; ++c) {
    double* column = inverse_column(c);
    column[k] = cap_sum(group, column);
    column[k + 1] = -dense::dot(k, core_left_.data(), column);
  }
  for (const int pair : {member, cap}) {
    append_slot(pair);
    append_row(pair);
  }
  key_[group] = -1;
}

void LemkeBasis::pivot(int entering, int leaving, const BasisVector& x) {
  const bool z_leaves = leaving >= n_, z_enters = entering >= n_;
  if (z_leaves && slot_of_z_[leaving - n_] < 0) release(group_of_[leaving - n_]);
  if (!z_enters && column_of_row_[entering] < 0) release(group_of_[entering]);
  const int rows = core();
  make_room(rows + 1);
  row_of_inverse(leaving);
  for (int s = 0; s < rows; ++s) core_z_[s] = x[n_ + slots_[s]];
  const int r = z_leaves ? slot_of_z_[leaving - n_] : rows;
  if (!z_leaves) {  // w becomes nonbasic: its column, so far a unit vector that was not stored, appears
    append_row(leaving);
    const int c = column_of_row_[leaving];
    std::fill(inverse_column(c), inverse_column(c) + rows, 0.0);
    row_[c] = 1;
  }
  // The row of the entering variable is the leaving one's over the pivot, stored where a z is concerned.
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    const double multiplier = row_[c] / x[leaving];
    double* column = inverse_column(static_cast<int>(c));
    if (multiplier != 0) dense::add_scaled(rows, -multiplier, core_z_.data(), column);
    column[r] = multiplier;
  }
  basic_[leaving] = 0;
  basic_[entering] = 1;
  if (z_enters && z_leaves) {
    slots_[r] = entering - n_;
    slot_of_z_[leaving - n_] = -1;
    slot_of_z_[entering - n_] = r;
  } else if (z_enters) {
    append_slot(entering - n_);
  } else if (z_leaves) {
    drop_slot(leaving - n_);
  }
  if (!z_enters) drop_row(entering);
  for (const int variable : {entering, leaving}) {
    const int pair = variable % n_;
    if (variable < 2 * n_ && group_of_[pair] >= 0 && key_[group_of_[pair]] < 0) key_if_possible(group_of_[pair]);
  }
}

}  // namespace carom
