#pragma once

#include <iosfwd>

#include "carom/stepper/stepper_entries.h"
#include "carom/stepper/stepper_entry.h"

namespace carom {

/// A stepper, chosen: a name for its entry, which must outlive it. Steppers are equal where their entries are the same
/// one.
class StepperKind {
 public:
  constexpr StepperKind(const StepperEntry& entry) : entry_(&entry) {}  // NOLINT(google-explicit-constructor)

  const StepperEntry& entry() const { return *entry_; }
  const StepperEntry* operator->() const { return entry_; }
  friend bool operator==(StepperKind, StepperKind) = default;
  friend std::ostream& operator<<(std::ostream& out, StepperKind stepper);  ///< its name

  // The product's own, where code means one of them; another needs no place here. Paper ST: Stewart and Trinkle 2000;
  // paper PLUS: Uchida, Sherman and Delp 2015; paper PROP: Seghete and Murphey 2014; paper DCA: Bhalerao, Anderson and
  // Trinkle 2009; paper QR: Chakraborty, Berard, Akella and Trinkle 2007.
  static const StepperKind stewart_trinkle;            ///< position-level LCP (ST, eqs. (5)–(12), (13)–(20))
  static const StepperKind anitescu_potra;             ///< velocity-level LCP (ST, section 3.3), drift projected back
  static const StepperKind stewart_trinkle_nonlinear;  ///< fixed point on the end of the step (ST, section 3.4)
  static const StepperKind semi_explicit;              ///< impacts by a law at the time of touch (PLUS, section 1),
                                                       ///< persisting contact by anitescu_potra
  static const StepperKind event_driven;  ///< integrated with error control between events that are located in time
  static const StepperKind variational;   ///< discrete Euler–Lagrange equations, impacts inside (PROP, section VI)
  static const StepperKind compliant;     ///< forces of elastic layers, integrated through (PLUS, section 4)
  static const StepperKind implicit_geometry;  ///< closest points at the end are unknowns (QR), rigid contact
  static const StepperKind quasi_rigid;        ///< the same with layers on rigid cores
  static const StepperKind hybrid_dca;  ///< stewart_trinkle about the middle of the step, constraints joined away
                                        ///< by halves (DCA)

 private:
  const StepperEntry* entry_;
};

inline constexpr StepperKind StepperKind::stewart_trinkle{stepper_entries::stewart_trinkle};
inline constexpr StepperKind StepperKind::anitescu_potra{stepper_entries::anitescu_potra};
inline constexpr StepperKind StepperKind::stewart_trinkle_nonlinear{stepper_entries::stewart_trinkle_nonlinear};
inline constexpr StepperKind StepperKind::semi_explicit{stepper_entries::semi_explicit};
inline constexpr StepperKind StepperKind::event_driven{stepper_entries::event_driven};
inline constexpr StepperKind StepperKind::variational{stepper_entries::variational};
inline constexpr StepperKind StepperKind::compliant{stepper_entries::compliant};
inline constexpr StepperKind StepperKind::implicit_geometry{stepper_entries::implicit_geometry};
inline constexpr StepperKind StepperKind::quasi_rigid{stepper_entries::quasi_rigid};
inline constexpr StepperKind StepperKind::hybrid_dca{stepper_entries::hybrid_dca};

}  // namespace carom
