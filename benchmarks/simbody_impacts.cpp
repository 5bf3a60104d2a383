// Compiled as C++17 and without NDEBUG, which is how Debian compiled the library: its headers ask for both.
#include <Simbody.h>
#include <time.h>

#include "benchmarks/impact_peer.h"

namespace carom::bench {
namespace {

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// In Simbody's x–y plane, the ground at y = 0; the mirror image of the scene's.
class Pendulum : public CompliantPeer {
 public:
  Pendulum(const TouchingPendulum& at, double friction, double modulus)
      : matter_(system_), forces_(system_), tracker_(system_), contacts_(system_, tracker_) {
    SimTK::Force::Gravity(forces_, matter_, -SimTK::YAxis, 9.81);
    contacts_.setTransitionVelocity(0.01);
    const SimTK::ContactMaterial material(modulus, 0, friction, friction, 0);
    matter_.Ground().updBody().addContactSurface(SimTK::Rotation(-0.5 * SimTK::Pi, SimTK::ZAxis),
                                                 SimTK::ContactSurface(SimTK::ContactGeometry::HalfSpace(), material));
    const SimTK::Vec3 middle(0, -0.5, 0);
    const SimTK::Inertia about_middle(0.08583333333333333, 0.005, 0.08583333333333333);
    const SimTK::Body::Rigid rod(SimTK::MassProperties(1, middle, about_middle.shiftFromMassCenter(middle, 1)));
    SimTK::MobilizedBody::Pin upper(matter_.Ground(), SimTK::Vec3(0, 2, 0), rod, SimTK::Vec3(0));
    SimTK::MobilizedBody::Pin middle_rod(upper, SimTK::Vec3(0, -1, 0), rod, SimTK::Vec3(0));
    SimTK::MobilizedBody::Pin lower(middle_rod, SimTK::Vec3(0, -1, 0), rod, SimTK::Vec3(0));
    SimTK::Body::Rigid sphere(SimTK::MassProperties(1, SimTK::Vec3(0), SimTK::Inertia(0.025)));
    sphere.addContactSurface(SimTK::Vec3(0), SimTK::ContactSurface(SimTK::ContactGeometry::Sphere(radius), material));
    ball_ = SimTK::MobilizedBody::Weld(lower, SimTK::Vec3(0, -1, 0), sphere, SimTK::Vec3(0));
    start_ = system_.realizeTopology();
    for (int i = 0; i < 3; ++i) {
      start_.updQ()[i] = at.angle[i];
      start_.updU()[i] = at.rate[i];
    }
    duration_ = time_in_contact();
  }

  PeerImpact run(PeerIntegrator rule, double accuracy) override {
    const std::unique_ptr<SimTK::Integrator> integrator = make(rule);
    integrator->setAccuracy(accuracy);
    integrator->setFinalTime(duration_);
    integrator->initialize(start_);
    PeerImpact impact;
    const double begin = processor_time();
    while (integrator->stepTo(duration_) != SimTK::Integrator::EndOfSimulation) {
    }
    impact.seconds = processor_time() - begin;
    impact.steps = integrator->getNumStepsTaken();
    const SimTK::State& end = integrator->getState();
    system_.realize(end, SimTK::Stage::Velocity);
    const SimTK::Vec3 velocity = ball_.getBodyOriginVelocity(end);
    impact.horizontal = velocity[0];
    impact.vertical = velocity[1];
    return impact;
  }

 private:
  static constexpr double radius = 0.25;

  std::unique_ptr<SimTK::Integrator> make(PeerIntegrator rule) {
    if (rule == PeerIntegrator::runge_kutta_merson) {
      return std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system_);
    }
    return std::make_unique<SimTK::SemiExplicitEuler2Integrator>(system_);
  }

  /// By a fine run: until the ball is off the ground again, s.
  double time_in_contact() {
    SimTK::RungeKuttaMersonIntegrator integrator(system_);
    integrator.setAccuracy(1e-9);
    integrator.setReturnEveryInternalStep(true);
    integrator.initialize(start_);
    while (true) {
      integrator.stepTo(1);
      const SimTK::State& state = integrator.getState();
      system_.realize(state, SimTK::Stage::Velocity);
      if (ball_.getBodyOriginLocation(state)[1] > radius && ball_.getBodyOriginVelocity(state)[1] > 0) {
        return state.getTime();
      }
    }
  }

  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::ContactTrackerSubsystem tracker_;
  SimTK::CompliantContactSubsystem contacts_;
  SimTK::MobilizedBody ball_;
  SimTK::State start_;
  double duration_ = 0;
};

}  // namespace

std::unique_ptr<CompliantPeer> make_simbody_pendulum(const TouchingPendulum& at, double friction, double modulus) {
  return std::make_unique<Pendulum>(at, friction, modulus);
}

}  // namespace carom::bench
