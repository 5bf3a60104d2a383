#pragma once

#include <limits>
#include <vector>

#include "carom/impact/elastic_layer.h"
#include "carom/impact/impact_rows.h"
#include "carom/impact/sprung_slip.h"
#include "carom/impact/zero_slip.h"

namespace carom {

/// The flow of impulses and stored energies that LzbLaw integrates (equations in lzb.h). It also has the discrete state
/// of every contact, which is fixed within a step and changed between steps by turn().
///
/// State: n compressions z, then m impulses P in the rows of ImpactRows. Behind them is the friction g of contacts with
/// a tangential spring, two numbers each (sprung_slip.h).
class LzbFlow {
 public:
  enum class Phase : unsigned char { open, compressing, expanding };
  enum class Slip : unsigned char {
    frictionless,
    sliding,   // friction opposes the slip; once it is gone, the slip that the step began with
    starting,  // slip within zero(): friction opposes the direction in which it will begin
    sticking,  // slip within zero() is kept as it is
  };
  struct Contact {
    ElasticLayer layer;
    const PairRestitution* law = nullptr;
    Phase phase = Phase::open;
    Slip slip = Slip::frictionless;
    bool speed_matters = false;  // restitution is not constant
    bool apart = false;          // had a gap when the step began
    int tangent = -1;
    int spring = -1;  // first of its two numbers g in the state; −1: rigid along the surface
    SprungSlip sprung;
    double e = 0;        // of the running compression
    double release = 1;  // 1 / e²
    double fastest = 0;  // approach speed that e belongs to
    double zero = 0;     // slips below are none, m/s times μ
    double direction[2] = {0, 0};
    double depth = 1, duration = 1;  // scales of its compression and its time alone
  };

  /// slip_tolerance: relative to the largest speed.
  void begin(const ImpactProblem& problem, double slip_tolerance);

  /// Rates of a state with the contacts as they are; velocity() is then that of the state.
  void derivative(const double* state, double* rate);
  const double* velocity() const { return velocity_.data(); }

  /// Progress towards events that must not pass within a step; the largest over the contacts. Below 0 before an event,
  /// 0 to 1 within its width; above 1 a shorter step has to find it; minus infinity if there is none. Refers to the
  /// state whose rate and velocity derivative() gave last.
  double passed(const double* state, const double* rate) const;
  /// Notes the largest approach speeds within a step of length h between two states with their rates. The last call of
  /// derivative() must have been for the second state.
  void watch(const double* start, const double* start_rate, const double* end, const double* end_rate, double h);
  /// A contact begins to be compressed with this approach speed.
  static void strike(Contact& contact, double speed);
  /// Changes every contact that passed an event at the end of a step, or may change without one. If `located`, the step
  /// was cut at an event. True if the rates jump by it.
  bool turn(double* state, const double* rate, bool located);
  /// Directions of slip, and which contacts are apart, for the step to come.
  void aim(double* state);
  /// Decides for all contacts without slip whether they stick; after it derivative() must be called again.
  void settle(double* state, double* rate);

  ImpactRows& rows() { return rows_; }
  const ImpactRows& rows() const { return rows_; }
  const std::vector<Contact>& contacts() const { return contacts_; }
  std::vector<Contact>& contacts() { return contacts_; }
  /// No friction, and e = 1 everywhere.
  bool conserves() const { return !has_events_; }
  int n() const { return n_; }
  int m() const { return m_; }
  int size() const { return n_ + m_ + 2 * static_cast<int>(sprung_.size()); }

 private:
  static constexpr double never = -std::numeric_limits<double>::infinity();  // progress towards no event

  double slip_size(const Contact& contact) const;
  static void update_restitution(Contact& contact, double speed);
  double passed_in_normal(int i, double z) const;
  double passed_in_slip(int i, const double* rate) const;
  bool turn_normal(int i, double& z, bool located);
  bool turn_slip(int i, const double* rate);
  // Contacts with a tangential spring.
  struct SprungRate {
    Eigen::Vector2d free, direction;
    double along = 0, cone = 0;  // of the free rate along the direction of g, and λ′
  };
  SprungRate sprung_rate(const Contact& contact, const double* g, double z, double z_rate, double force) const;
  void add_sprung(const double* state, double* rate);
  double passed_in_spring(int i, const double* state, const double* rate) const;
  bool turn_spring(int i, double* state, const double* rate);
  void begin_springs(double* state);
  void add_sticking(double* F);
  void gather_at_rest(const double* state);
  void fill_at_rest(double* F, const double* state);
  bool is_overloaded(double* F);
  void decide_at_rest(double* F);
  void break_overloaded(double* F);
  const double* column(int j) const { return rows_.matrix() + static_cast<std::ptrdiff_t>(j) * m_; }

  ImpactRows rows_;
  ZeroSlip zero_slip_;
  int n_ = 0, m_ = 0;
  double speed_ = 1;
  bool has_events_ = false;
  std::vector<Contact> contacts_;
  std::vector<int> frictional_, sprung_, sticking_, at_rest_;  // frictional: without a spring
  std::vector<double> velocity_, factor_, right_, force_;
};

}  // namespace carom
