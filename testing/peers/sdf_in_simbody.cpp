// Compiled as C++17 and without NDEBUG, which is how Debian compiled the library: its headers ask for both.
#include "testing/peers/sdf_in_simbody.h"

#include <Simbody.h>

#include <map>
#include <sdf/Joint.hh>
#include <sdf/JointAxis.hh>
#include <sdf/Link.hh>
#include <sdf/Model.hh>
#include <sdf/Root.hh>
#include <sdf/World.hh>
#include <stdexcept>
#include <vector>

namespace carom::test {
namespace {

using ignition::math::Pose3d;
using ignition::math::Vector3d;

void demand(const sdf::Errors& errors) {
  if (!errors.empty()) throw std::runtime_error("libsdformat: " + errors.front().Message());
}

SimTK::Vec3 vector(const Vector3d& v) { return {v.X(), v.Y(), v.Z()}; }
SimTK::Vec3 vector(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 vector(const SimTK::Vec3& v) { return {v[0], v[1], v[2]}; }
SimTK::Vector vector(const VectorX& v) {
  SimTK::Vector to(static_cast<int>(v.size()));
  for (int i = 0; i < v.size(); ++i) to[i] = v[i];
  return to;
}

SimTK::Transform transform(const Pose3d& pose) {
  const auto& q = pose.Rot();
  return {SimTK::Rotation(SimTK::Quaternion(q.W(), q.X(), q.Y(), q.Z())), vector(pose.Pos())};
}

SimTK::MassProperties mass_properties(const sdf::Link& link) {
  const auto& inertial = link.Inertial();
  const SimTK::Transform X_BC = transform(inertial.Pose());
  const auto& moi = inertial.MassMatrix().Moi();
  const SimTK::Inertia central(moi(0, 0), moi(1, 1), moi(2, 2), moi(0, 1), moi(0, 2), moi(1, 2));
  const double mass = inertial.MassMatrix().Mass();
  return {mass, X_BC.p(), central.reexpress(~X_BC.R()).shiftFromMassCenter(-X_BC.p(), mass)};
}

/// Turns the z axis (x for those that Simbody lets act along x) into the axis.
SimTK::Rotation along(const Vector3d& axis, const SimTK::CoordinateAxis& of) {
  return {SimTK::UnitVec3(vector(axis)), of};
}

}  // namespace

struct SdfInSimbody::Parts {
  struct Link {
    const sdf::Link* link;
    std::string name;
    SimTK::Transform X_WB;
    SimTK::MobilizedBodyIndex body;  ///< invalid until it hangs
  };
  struct Tie {
    const sdf::Joint* joint;
    std::string name;
    int parent, child;      ///< numbers of links, −1 the world
    SimTK::Transform X_CJ;  ///< the joint's frame in the child
    bool used = false;
  };

  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  sdf::Root root;
  std::vector<Link> links;
  std::vector<Tie> ties;
  std::map<std::string, SimTK::MobilizedBodyIndex> joints, bodies;
  Vec3 g{0, 0, -9.81};
  std::unique_ptr<SimTK::Force::Gravity> weight;
  mutable SimTK::State state;

  void collect(const sdf::Model& model, const SimTK::Transform& X_WP, const std::string& path) {
    Pose3d pose;
    demand(model.SemanticPose().Resolve(pose));
    const SimTK::Transform X_WM = X_WP * transform(pose);
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i) {
      const sdf::Link* link = model.LinkByIndex(i);
      demand(link->SemanticPose().Resolve(pose));
      links.push_back({link, path + link->Name(), X_WM * transform(pose), {}});
    }
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i) {
      collect(*model.ModelByIndex(i), X_WM, path + model.ModelByIndex(i)->Name() + "::");
    }
    for (std::uint64_t i = 0; i < model.JointCount(); ++i) {
      const sdf::Joint* joint = model.JointByIndex(i);
      std::string parent, child;
      demand(joint->ResolveParentLink(parent));
      demand(joint->ResolveChildLink(child));
      demand(joint->SemanticPose().Resolve(pose, child));
      ties.push_back({joint, path + joint->Name(), parent == "world" ? -1 : number(path + parent), number(path + child),
                      transform(pose)});
    }
  }

  int number(const std::string& name) const {
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (links[i].name == name) return static_cast<int>(i);
    }
    throw std::runtime_error("no link " + name);
  }

  bool hangs(int link) const { return link < 0 || links[link].body.isValid(); }
  SimTK::MobilizedBody& mobilized(int link) {
    return link < 0 ? matter.updGround() : matter.updMobilizedBody(links[link].body);
  }

  /// Hangs one of a joint's links on the other, whichever hangs already.
  void hang(Tie& tie) {
    tie.used = true;
    const bool turned = !hangs(tie.parent);
    const SimTK::Transform X_WJ = links[tie.child].X_WB * tie.X_CJ;
    SimTK::Transform X_PJ = (tie.parent < 0 ? SimTK::Transform() : ~links[tie.parent].X_WB) * X_WJ, X_CJ = tie.X_CJ;
    const int outer = turned ? tie.parent : tie.child;
    SimTK::MobilizedBody& inner = mobilized(turned ? tie.child : tie.parent);
    const SimTK::Body::Rigid body(mass_properties(*links[outer].link));
    if (turned) std::swap(X_PJ, X_CJ);
    links[outer].body =
        mobilize(tie, inner, X_PJ, body, X_CJ, turned ? SimTK::MobilizedBody::Reverse : SimTK::MobilizedBody::Forward);
    joints[tie.name] = links[outer].body;
  }

  static SimTK::MobilizedBodyIndex mobilize(const Tie& tie, SimTK::MobilizedBody& inner, const SimTK::Transform& X_PJ,
                                            const SimTK::Body::Rigid& body, const SimTK::Transform& X_CJ,
                                            SimTK::MobilizedBody::Direction direction) {
    Vector3d axis = Vector3d::UnitZ, second = Vector3d::UnitX;
    if (tie.joint->Axis(0) != nullptr) demand(tie.joint->Axis(0)->ResolveXyz(axis));
    if (tie.joint->Axis(1) != nullptr) demand(tie.joint->Axis(1)->ResolveXyz(second));
    const SimTK::Transform z(along(axis, SimTK::ZAxis)), x(along(axis, SimTK::XAxis));
    using Bodies = SimTK::MobilizedBody;
    switch (tie.joint->Type()) {
      case sdf::JointType::FIXED:
        return Bodies::Weld(inner, X_PJ, body, X_CJ);
      case sdf::JointType::REVOLUTE:
      case sdf::JointType::CONTINUOUS:
        return Bodies::Pin(inner, X_PJ * z, body, X_CJ * z, direction);
      case sdf::JointType::PRISMATIC:
        return Bodies::Slider(inner, X_PJ * x, body, X_CJ * x, direction);
      case sdf::JointType::BALL:
        if (direction == Bodies::Reverse) break;
        return Bodies::Ball(inner, X_PJ, body, X_CJ);
      case sdf::JointType::UNIVERSAL: {
        // Turns about x, then about the y that this has turned.
        const SimTK::Transform xy(
            SimTK::Rotation(SimTK::UnitVec3(vector(axis)), SimTK::XAxis, vector(second), SimTK::YAxis));
        return Bodies::Universal(inner, X_PJ * xy, body, X_CJ * xy, direction);
      }
      default:
        break;
    }
    throw std::runtime_error("no such joint here: " + tie.name);
  }

  /// Joints in the order of the file, time and again, until nothing more hangs; then the next link that is loose.
  void hang_all(bool fixed_base) {
    const auto settle = [this] {
      for (bool any = true; any;) {
        any = false;
        for (Tie& tie : ties) {
          if (tie.used || hangs(tie.parent) == hangs(tie.child)) continue;
          hang(tie);
          any = true;
        }
      }
    };
    settle();
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (!is_root(static_cast<int>(i))) continue;
      const SimTK::Body::Rigid body(mass_properties(*links[i].link));
      if (fixed_base) {
        links[i].body = SimTK::MobilizedBody::Weld(matter.updGround(), links[i].X_WB, body, SimTK::Transform());
      } else {
        links[i].body = SimTK::MobilizedBody::Free(matter.updGround(), SimTK::Transform(), body, SimTK::Transform());
        joints[links[i].name] = links[i].body;
      }
      settle();
    }
  }

  /// Hangs on nothing, and no joint has it as its child.
  bool is_root(int link) const {
    if (hangs(link)) return false;
    for (const Tie& tie : ties) {
      if (tie.child == link) return false;
    }
    return true;
  }
};

SdfInSimbody::SdfInSimbody(const std::string& path, bool fixed_base) : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  demand(p.root.Load(path));
  if (const sdf::Model* model = p.root.Model()) {
    p.collect(*model, SimTK::Transform(), "");
  } else {
    const sdf::World& world = *p.root.WorldByIndex(0);
    p.g = vector(vector(world.Gravity()));
    for (std::uint64_t i = 0; i < world.ModelCount(); ++i) {
      const sdf::Model& model = *world.ModelByIndex(i);
      p.collect(model, SimTK::Transform(), world.ModelCount() > 1 ? model.Name() + "::" : "");
    }
  }
  p.weight = std::make_unique<SimTK::Force::Gravity>(p.forces, p.matter, vector(p.g));
  p.hang_all(fixed_base);
  for (const Parts::Link& link : p.links) p.bodies[link.name] = link.body;
  p.state = p.system.realizeTopology();
  p.system.realizeModel(p.state);
}

SdfInSimbody::~SdfInSimbody() = default;

int SdfInSimbody::velocity_count() const { return parts_->state.getNU(); }
Vec3 SdfInSimbody::gravity() const { return parts_->g; }
bool SdfInSimbody::has_joint(const std::string& name) const { return parts_->joints.count(name) > 0; }

int SdfInSimbody::velocity_index(const std::string& name) const {
  return int(parts_->matter.getMobilizedBody(parts_->joints.at(name)).getFirstUIndex(parts_->state));
}

void SdfInSimbody::set_position(const std::string& joint, const VectorX& q) {
  parts_->matter.getMobilizedBody(parts_->joints.at(joint)).setQFromVector(parts_->state, vector(q));
}

void SdfInSimbody::set_velocity(const VectorX& u) {
  parts_->state.updU() = vector(u);
  parts_->system.realize(parts_->state, SimTK::Stage::Dynamics);
}

Transform SdfInSimbody::pose(const std::string& link) const {
  const SimTK::Transform& X = parts_->matter.getMobilizedBody(parts_->bodies.at(link)).getBodyTransform(parts_->state);
  Transform to;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) to.R(i, j) = X.R()[i][j];
  }
  to.p = vector(X.p());
  return to;
}

Vec6 SdfInSimbody::velocity(const std::string& link) const {
  const SimTK::SpatialVec& V = parts_->matter.getMobilizedBody(parts_->bodies.at(link)).getBodyVelocity(parts_->state);
  Vec6 to;
  to << vector(V[0]), vector(V[1]);
  return to;
}

MatrixX SdfInSimbody::mass_matrix() const {
  SimTK::Matrix M;
  parts_->matter.calcM(parts_->state, M);
  MatrixX to(M.nrow(), M.ncol());
  for (int i = 0; i < M.nrow(); ++i) {
    for (int j = 0; j < M.ncol(); ++j) to(i, j) = M(i, j);
  }
  return to;
}

VectorX SdfInSimbody::inverse_dynamics(const VectorX& udot) const {
  SimTK::Vector force;
  parts_->matter.calcResidualForceIgnoringConstraints(
      parts_->state, SimTK::Vector(), parts_->weight->getBodyForces(parts_->state), vector(udot), force);
  VectorX to(force.size());
  for (int i = 0; i < force.size(); ++i) to[i] = force[i];
  return to;
}

}  // namespace carom::test
