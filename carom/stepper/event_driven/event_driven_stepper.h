#pragma once

#include <array>
#include <vector>

#include "carom/certificate/judge.h"
#include "carom/dormand_prince.h"
#include "carom/stepper/event_driven/accumulation.h"
#include "carom/stepper/event_driven/constrained_motion.h"
#include "carom/stepper/event_driven/touch_search.h"
#include "carom/stepper/impact_handler.h"
#include "carom/stepper/stepper.h"

namespace carom {

/// Exact motion as far as a tolerance goes: smooth phases, integrated with error control (DormandPrince), between
/// events that are located in time. The reference for methods whose steps are blind to events.
///
/// A phase has fixed contact modes (ConstrainedMotion). It ends with the step of the method, or where something touches
/// (TouchSearch). It also ends where a contact would pull, leaves its friction cone or slips no more (the zero of its
/// slip, to round-off of time). At its start contacts are told apart by their normal velocity. Those that approach
/// strike, by the method's law (ImpactHandler, with all contacts within method.proximity). Those that rest enter the
/// complementarity problem of accelerations, which decides who sticks, slides and lifts off. The others are leaving.
///
/// Bounces and rocking that accumulate (Zeno, Accumulation) end in contact. A contact whose flights fall below a
/// hundredth of the gap that counts as touching (1e-4 proximity) is struck plastically. Contacts that leave in flights
/// as low stay closed with it. The reported event has the time at which the flights would have ended.
///
/// The length of a step is the spacing of reports, not of the integration. The integration starts afresh at every
/// report, so a resumed run has the same bits. The error of an integration step is at most method.tolerance, relative,
/// or absolute where numbers are below 1 (m, rad, m/s, rad/s). Events and impacts allocate.
class EventDrivenStepper : public Stepper {
 public:
  EventDrivenStepper(const Model& model, const Method& method);

  /// There is no contact problem of a step.
  StepReport& advance(const Model& model, State& state, double length, const StepRequest& request) override;

 private:
  /// A slip that has ended, and its direction, world.
  struct Stop {
    ContactId id;
    Vec3 slip;
  };
  /// Two bodies of which an accumulation ends or holds a contact, and the slip that it may have left there, m/s.
  struct Held {
    int body_a = -1, body_b = -1;
    double slip = 0;
  };

  void set_stop(const StopSignal& stop);
  void begin_phase(const Model& model);
  bool strike_what_approaches(const Model& model);
  void strike_all(const Model& model);
  bool strike_what_jams(const Model& model);
  void strike(const Model& model, ImpactHandler& handler, const std::vector<ContactId>& approaching, double push);
  void note_modes(const Model& model);
  void run_phase(const Model& model);
  double step_to_event(const Model& model, double h);
  double try_step(const Model& model, double h);
  double place_of_mode_event(const Model& model, double h);
  void evaluate(const Model& model, double time, const double* y, double* rate);
  static void read(const Model& model, const double* y, VectorX& q, VectorX& v);
  void keep_stage(const Model& model, double time, int stage);
  void tell_start();
  void book(double h);
  void find_opened(const Model& model);
  void judge(const Model& model, double h);
  double unknown_speed() const;
  double slowest_slip() const;
  double slip(std::size_t i) const;
  void note_slips(bool begins);
  int ended_slip() const;
  double step_to_end_of_slip(const Model& model, double h);
  void note_stopped();
  void find_what_slid();
  bool turns_round(const ContactId& id) const;
  bool modes_hold() const;
  double speed(const Model& model) const;
  void finish(const Model& model, State& state, double kinetic, double potential);

  Method method_;
  ModelSize size_;
  std::vector<double> sizes_;  // of the entries of y_
  ImpactHandler law_, plastic_;
  ConstrainedMotion motion_;
  StepLoads loads_;
  TouchSearch touches_;
  ContactFinder finder_;
  MassOperator mass_;
  DynamicsWorkspace workspace_;
  Accumulation accumulation_;
  StopSignal stop_;  // of this step
  DormandPrince rk_;
  StepReport report_;

  double time_ = 0, end_ = 0, touching_ = 0;
  double guess_ = 0;       // length of the next step of the integration, s
  double slack_ = 0;       // approach that the impacts of this instant may have left, m/s
  double stopped_at_ = 0;  // slip below which the last phase held something to have stopped, m/s
  double coarseness_ = 1;  // of what counts as no slip, in this step
  int ending_slip_ = -1;   // that ended the phase, −1 if none did
  bool phase_ended_ = false;
  bool wedged_ = false;  // the phase ended where no step is short enough
  VectorX q_, v_, q_stage_, v_stage_, rate_q_, rate_v_, controlled_;
  std::vector<double> y_, next_, weight_, between_, rate_;
  Judge judge_;
  StepEvidence evidence_;  // of a step of the integration
  std::vector<StepEvidence>* told_ = nullptr;
  std::vector<Contact> opened_;        // of closed_, where the phase begins, those that it leaves out
  std::vector<Contact> closed_;        // contacts that touch and do not separate, at the phase's start
  std::vector<ContactMemory> modes_;   // of the last phase
  std::vector<ContactId> persisting_;  // in this phase
  std::vector<ContactId> slid_;        // of the contacts that slide, those that did before
  std::vector<char> slips_;            // of these and of joints that rub: whether they have slipped, in this phase
  std::vector<Held> held_;             // at this instant
  std::vector<Stop> stopped_;          // by the end of the last phase
  std::vector<ContactId> ratchets_, open_ratchets_;
  // Per stage of the integration: powers (damping, drives, contacts, constraints, joints' friction), loads
  // and forces, world axes.
  std::vector<std::array<double, 5>> powers_;
  std::vector<VectorX> stage_loads_;
  std::vector<std::vector<Vec3>> forces_;
};

}  // namespace carom
