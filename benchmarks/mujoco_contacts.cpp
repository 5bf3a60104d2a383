#include <cstdio>
#include <string>

#include "benchmarks/contact_peer.h"
#include "carom/error.h"
#include "testing/peers/mujoco.h"

namespace carom::bench {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g ", value);
  return text;
}

std::string numbers(const Vec3& v) { return number(v.x()) + number(v.y()) + number(v.z()); }

std::string pose_text(const Vec3& p, const Quaternion& q) {
  return " pos=\"" + numbers(p) + "\" quat=\"" + number(q.w()) + number(q.x()) + number(q.y()) + number(q.z()) + "\"";
}

std::string geometry(const Shape& shape) {
  if (const auto* ball = std::get_if<Sphere>(&shape)) return "type=\"sphere\" size=\"" + number(ball->radius) + "\"";
  return "type=\"box\" size=\"" + numbers(std::get<Box>(shape).half_extents) + "\"";
}

/// The scene in MJCF. Room is for ten contacts a body, since MuJoCo's own guess is too little for walls.
std::string write(const ContactScene& scene, const std::string& cone) {
  const std::size_t contacts = 10 * scene.bodies.size() + 50;
  std::string text = "<mujoco><option solver=\"Newton\" cone=\"" + cone + "\" timestep=\"" + number(scene.step) +
                     "\" gravity=\"0 0 " + number(-scene.gravity) + "\"/><size nconmax=\"" + std::to_string(contacts) +
                     "\" njmax=\"" + std::to_string(4 * contacts) + "\"/><default><geom friction=\"" +
                     number(scene.friction) + "0.005 0.0001\"/></default><worldbody>";
  for (const Transform& plane : scene.planes) {
    text += "<geom type=\"plane\" size=\"0 0 1\"" + pose_text(plane.p, Quaternion(plane.R)) + "/>";
  }
  for (const ContactBody& body : scene.bodies) {
    text += "<body" + pose_text(body.position, body.orientation) + "><freejoint/><geom mass=\"" + number(body.mass) +
            "\" " + geometry(body.shape) + "/></body>";
  }
  return text + "</worldbody></mujoco>";
}

class MujocoScene : public ContactPeer {
 public:
  MujocoScene(const ContactScene& scene, const std::string& cone) : mujoco_(write(scene, cone)) {}

  void step() override {
    mj_step(mujoco_.m, mujoco_.d);
    for (const int warning : {mjWARN_CONTACTFULL, mjWARN_CNSTRFULL, mjWARN_BADQACC}) {
      if (mujoco_.d->warning[warning].number > 0)
        throw Error("MuJoCo ran out of room for contacts, or its step failed");
    }
  }

  Transform pose(int i) const override {
    const mjtNum* q = mujoco_.d->qpos + 7 * i;
    return {Quaternion(q[3], q[4], q[5], q[6]).toRotationMatrix(), Vec3(q[0], q[1], q[2])};
  }

 private:
  test::Mujoco mujoco_;
};

}  // namespace

std::unique_ptr<ContactPeer> make_mujoco_pyramidal(const ContactScene& scene) {
  return std::make_unique<MujocoScene>(scene, "pyramidal");
}

std::unique_ptr<ContactPeer> make_mujoco_elliptic(const ContactScene& scene) {
  return std::make_unique<MujocoScene>(scene, "elliptic");
}

}  // namespace carom::bench
