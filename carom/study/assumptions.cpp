#include "carom/study/assumptions.h"

namespace carom {

std::string stepper_assumption(StepperKind stepper) {
  switch (stepper) {
    case StepperKind::stewart_trinkle:
      return "bodies are rigid; all contacts of a step act at once, at its end, where no overlap is left; a blow is "
             "felt "
             "within a step of its time";
    case StepperKind::anitescu_potra:
      return "bodies are rigid; all contacts of a step act at once on the velocities at its end, and overlap is taken "
             "out afterwards";
    case StepperKind::stewart_trinkle_nonlinear:
      return "as stewart-trinkle, with normals, tangents and masses of the end of the step instead of its start";
    case StepperKind::event_driven:
      return "bodies are rigid; every touch, slip and lift-off has its own instant, the motion between is exact to a "
             "tolerance; contacts that hold follow Coulomb's law of forces";
    case StepperKind::semi_explicit:
      return "bodies are rigid; blows are instants of their own, met where the bodies touch; contacts that last are "
             "those of anitescu-potra without restitution";
    case StepperKind::variational:
      return "bodies are rigid; steps are those of a discrete action, so momentum is kept and energy does not drift; "
             "blows are met inside the step where the bodies touch, bounces that outpace it become contact; contacts "
             "that last push at both ends of the step";
    case StepperKind::compliant:
      return "surfaces are elastic layers by Hertz with dissipation by Hunt and Crossley; a blow takes its time and "
             "contacts "
             "share it as their stiffnesses have it; friction rises with slip, so that nothing sticks for good";
    case StepperKind::implicit_geometry:
      return "bodies are rigid and smooth; where they touch, and how, is solved for at the end of the step together "
             "with the motion; nothing rebounds";
    case StepperKind::quasi_rigid:
      return "bodies are rigid cores with thin compliant layers as their materials say; where they touch, how far the "
             "layers give way and the motion are solved for together at the end of the step";
    case StepperKind::hybrid_dca:
      return "as stewart-trinkle, with normals and masses of the middle of the step; joints and constraints hold "
             "exactly at the velocities of its end, and what redundant rows might bear is borne by the others";
  }
  return {};
}

std::string law_assumption(LawKind law) {
  switch (law) {
    case LawKind::none:
      return "nothing rebounds; what strikes together stops together, with Coulomb friction at the end of the step";
    case LawKind::newton:
      return "each contact leaves with e times the speed at which it came, all at once, however it was struck";
    case LawKind::poisson:
      return "all contacts are compressed at once, then each gets back e times its own impulse of compression";
    case LawKind::plus:
      return "blows run through the mechanism in rounds: contacts that approach are compressed together and then "
             "expand, and may set off the next round; slip turns on the way";
    case LawKind::plastic:
      return "nothing rebounds; all contacts stop approaching at once, with Coulomb friction at the end of the blow";
    case LawKind::stronge:
      return "each contact gives back e² of the work that it took in compression; slip may stop and turn on the way";
    case LawKind::lzb:
      return "contacts are stiff springs that share a blow as their stiffnesses have it, each giving back e² of its "
             "work; the ratios of the stiffnesses decide what the blow does to several bodies at once";
    case LawKind::propagative:
      return "contacts that approach are reflected one after another, the deepest first, each elastically and without "
             "friction, until none approaches; another order may end elsewhere";
    case LawKind::energy_blend:
      return "without friction; the blow keeps e² of the energy that lies between stopping all contacts at once and "
             "reflecting them elastically one after another";
  }
  return {};
}

}  // namespace carom
