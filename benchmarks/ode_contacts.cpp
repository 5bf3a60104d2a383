#include <ode/ode.h>

#include <array>

#include "benchmarks/contact_peer.h"

namespace carom::bench {
namespace {

class OdeScene : public ContactPeer {
 public:
  explicit OdeScene(const ContactScene& scene) : step_(scene.step), friction_(scene.friction) {
    dInitODE();
    dRandSetSeed(0);  // of the order in which QuickStep takes its rows
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -scene.gravity);
    dWorldSetQuickStepNumIterations(world_, 50);
    for (const Transform& plane : scene.planes) {
      const Vec3 normal = plane.R.col(2);
      dCreatePlane(space_, normal.x(), normal.y(), normal.z(), normal.dot(plane.p));
    }
    for (const ContactBody& body : scene.bodies) add(body);
  }
  OdeScene(const OdeScene&) = delete;
  OdeScene& operator=(const OdeScene&) = delete;
  ~OdeScene() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  void step() override {
    dSpaceCollide(space_, this, &OdeScene::collide);
    dWorldQuickStep(world_, step_);
    dJointGroupEmpty(contacts_);
  }

  Transform pose(int i) const override {
    const dBodyID body = bodies_[static_cast<std::size_t>(i)];
    const dReal *R = dBodyGetRotation(body), *p = dBodyGetPosition(body);  // rows of four
    Transform X;
    for (int row = 0; row < 3; ++row) {
      X.R.row(row) << R[4 * row], R[4 * row + 1], R[4 * row + 2];
      X.p[row] = p[row];
    }
    return X;
  }

 private:
  void add(const ContactBody& from) {
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    dGeomID geometry = nullptr;
    if (const auto* ball = std::get_if<Sphere>(&from.shape)) {
      dMassSetSphereTotal(&mass, from.mass, ball->radius);
      geometry = dCreateSphere(space_, ball->radius);
    } else {
      const Vec3 edges = 2 * std::get<Box>(from.shape).half_extents;
      dMassSetBoxTotal(&mass, from.mass, edges.x(), edges.y(), edges.z());
      geometry = dCreateBox(space_, edges.x(), edges.y(), edges.z());
    }
    dBodySetMass(body, &mass);
    dGeomSetBody(geometry, body);
    const dQuaternion turn = {from.orientation.w(), from.orientation.x(), from.orientation.y(), from.orientation.z()};
    dBodySetQuaternion(body, turn);
    dBodySetPosition(body, from.position.x(), from.position.y(), from.position.z());
    bodies_.push_back(body);
  }

  static void collide(void* data, dGeomID a, dGeomID b) {
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (!body_a && !body_b) return;
    OdeScene& scene = *static_cast<OdeScene*>(data);
    std::array<dContact, 8> found{};
    const int count = dCollide(a, b, static_cast<int>(found.size()), &found[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      dContact& contact = found[static_cast<std::size_t>(i)];
      contact.surface.mode = dContactApprox1;
      contact.surface.mu = scene.friction_;
      dJointAttach(dJointCreateContact(scene.world_, scene.contacts_, &contact), body_a, body_b);
    }
  }

  double step_, friction_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<dBodyID> bodies_;
};

}  // namespace

std::unique_ptr<ContactPeer> make_ode(const ContactScene& scene) { return std::make_unique<OdeScene>(scene); }

}  // namespace carom::bench
