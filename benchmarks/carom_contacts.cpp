#include "benchmarks/carom_contacts.h"

#include <algorithm>

#include "benchmarks/contact_peer.h"
#include "carom/stepper/simulation.h"

namespace carom::bench {
namespace {

void set_pose(const Mat3& R, const Vec3& p, std::size_t body, VectorX& q) {
  const Quaternion turn = Quaternion(R).normalized();
  q.segment<7>(7 * static_cast<Eigen::Index>(body)) << turn.w(), turn.x(), turn.y(), turn.z(), p;
}

class CaromScene : public ContactPeer {
 public:
  CaromScene(const ContactScene& scene, FrictionCone cone)
      : simulation_(carom_model(scene), method(scene, cone), carom_start(scene)) {}

  void step() override {
    const StepReport& report = simulation_.step();
    contacts_ += report.contacts_considered;
    iterations_ += report.iterations;
    idle_ += report.iterations == 0;
    stages_.kinematics += report.stages.kinematics;
    stages_.contact_finding += report.stages.contact_finding;
    stages_.assembly += report.stages.assembly;
    stages_.solve += report.stages.solve;
    stages_.account += report.stages.account;
  }
  Transform pose(int i) const override {
    const auto q = simulation_.state().q.segment<7>(7 * i);
    return {Quaternion(q[0], q[1], q[2], q[3]).toRotationMatrix(), q.tail<3>()};
  }
  std::optional<ContactAccount> account() const override {
    const RunCertificate& certificate = simulation_.certificate();
    const double steps = static_cast<double>(certificate.steps);
    const double time =
        stages_.kinematics + stages_.contact_finding + stages_.assembly + stages_.solve + stages_.account;
    ContactAccount account;
    account.natural_map = certificate.contact.natural_map;
    account.normal_complementarity = certificate.contact.normal_complementarity;
    account.unsolved = static_cast<long>(certificate.unsolved_steps);
    account.contacts = static_cast<double>(contacts_) / steps;
    account.iterations = static_cast<double>(iterations_) / steps;
    account.idle = static_cast<double>(idle_) / steps;
    account.kinematics = stages_.kinematics / time;
    account.finding = stages_.contact_finding / time;
    account.assembly = stages_.assembly / time;
    account.solve = stages_.solve / time;
    account.account = stages_.account / time;
    return account;
  }

 private:
  static Method method(const ContactScene& scene, FrictionCone cone) {
    Method method;
    method.cone = cone;
    method.step = scene.step;
    return method;
  }

  Simulation simulation_;
  StageTimes stages_;
  long contacts_ = 0, iterations_ = 0, idle_ = 0;
};

}  // namespace

std::shared_ptr<const Model> carom_model(const ContactScene& scene) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -scene.gravity});
  builder.set_combination(Combination::maximum, Combination::maximum);
  const int material = builder.add_material({"surface", Vec2(scene.friction, scene.friction), 0});
  for (const Transform& plane : scene.planes) {
    builder.add_collider({"plane" + std::to_string(&plane - scene.planes.data()), -1, HalfSpace{}, plane, material});
  }
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const ContactBody& from = scene.bodies[i];
    const SpatialInertia unit = shape_inertia(from.shape, 1);
    const SpatialInertia inertia{from.mass, unit.center, unit.central * (from.mass / unit.mass)};
    const int body = builder.add_body("body" + std::to_string(i), inertia);
    builder.add_collider({"shape" + std::to_string(i), body, from.shape, {}, material});
  }
  return std::make_shared<const Model>(builder.build());
}

State carom_start(const ContactScene& scene) {
  State state;
  const auto count = static_cast<Eigen::Index>(scene.bodies.size());
  state.q.resize(7 * count);
  state.v = VectorX::Zero(6 * count);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    set_pose(scene.bodies[i].orientation.toRotationMatrix(), scene.bodies[i].position, i, state.q);
  }
  return state;
}

OverlapGauge::OverlapGauge(const ContactScene& scene)
    : model_(carom_model(scene)), workspace_(*model_), finder_(*model_), q_(model_->position_count()) {}

double OverlapGauge::deepest(const std::vector<Transform>& poses) {
  for (std::size_t i = 0; i < poses.size(); ++i) set_pose(poses[i].R, poses[i].p, i, q_);
  forward_kinematics(*model_, q_, workspace_);
  double deepest = 0;
  for (const Contact& contact : finder_.find(*model_, q_, workspace_.X_WB, 0)) {
    deepest = std::max(deepest, -contact.gap);
  }
  return deepest;
}

std::unique_ptr<ContactPeer> make_carom_exact(const ContactScene& scene) {
  return std::make_unique<CaromScene>(scene, FrictionCone::exact);
}

std::unique_ptr<ContactPeer> make_carom_polyhedral(const ContactScene& scene) {
  return std::make_unique<CaromScene>(scene, FrictionCone::polyhedral);
}

}  // namespace carom::bench
