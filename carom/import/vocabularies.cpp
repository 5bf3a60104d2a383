#include "carom/import/vocabularies.h"

namespace carom {
namespace {

using namespace std::string_literals;
using Entries = std::vector<Vocabulary::Entry>;

// Attributes that many elements of MJCF have.
constexpr const char* turns = " quat axisangle xyaxes zaxis euler ";
constexpr const char* solver = " solref solimp ";
constexpr const char* joint_words =
    " class type group pos axis springdamper limited actuatorfrclimited solreflimit solimplimit solreffriction "
    "solimpfriction stiffness range actuatorfrcrange actuatorgravcomp margin ref springref armature damping "
    "frictionloss "
    "user ";
constexpr const char* geom_words =
    " class type pos contype conaffinity condim group priority size material friction mass density shellinertia solmix "
    "solref solimp margin gap surfacevel adhesion fromto hfield mesh fitscale rgba fluidshape fluidcoef user quat "
    "axisangle xyaxes zaxis euler ";
constexpr const char* tendon_words =
    " class group limited range actuatorfrclimited actuatorfrcrange solreflimit solimplimit solreffriction "
    "solimpfriction frictionloss springlength width material margin stiffness damping armature rgba user ";
constexpr const char* actuator_words =
    " name class group nsample interp delay ctrllimited forcelimited actlimited ctrlrange forcerange actrange "
    "lengthrange gear damping armature cranklength user joint jointinparent tendon slidersite cranksite site refsite "
    "body ";

Entries mjcf_settings() {
  return {
      {"mujoco", "model", "*"},
      {"compiler",
       "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb eulerseq "
       "assetdir meshdir texturedir discardvisual convexhull usethread fusestatic inertiafromgeom inertiagrouprange "
       "exactmeshinertia saveinertial alignfree conflict",
       "lengthrange"},
      {"option",
       "timestep apirate impratio tolerance ls_tolerance noslip_tolerance mpr_tolerance ccd_tolerance sleep_tolerance "
       "gravity wind magnetic density viscosity o_margin o_solref o_solimp o_friction integrator collision cone "
       "jacobian solver iterations ls_iterations noslip_iterations mpr_iterations ccd_iterations sdf_iterations "
       "sdf_initpoints actuatorgroupdisable",
       "flag"},
      {"flag",
       "constraint equality frictionloss limit contact passive spring damper gravity clampctrl warmstart filterparent "
       "actuation refsafe sensor midphase eulerdamp autoreset nativeccd island boxbox boxboxlegacy override energy "
       "fwdinv invdiscrete sensornoise multiccd sleep diagexact",
       ""},
      {"default", "class",
       "default mesh material joint geom site camera light pair equality tendon general motor position velocity "
       "intvelocity damper cylinder muscle adhesion orientation pid dcmotor plugin"},
      {"asset", "", "mesh hfield skin texture material model"},
      {"mesh",
       "name class content_type file vertex normal texcoord face refpos refquat scale smoothnormal maxhullvert inertia "
       "builtin params material plugin instance octree_maxdepth",
       "plugin"},
      {"asset/model", "name file content_type", ""},
      {"attach", "model body prefix", ""},
      {"hfield", "name content_type file nrow ncol size elevation", ""},
      {"keyframe", "", "key"},
      {"key", "name time qpos qvel act mpos mquat ctrl", ""},
  };
}

Entries mjcf_bodies() {
  return {
      {"worldbody", "name childclass", "*"},
      {"body", "name childclass pos mocap gravcomp sleep simple user"s + turns, "*"},
      {"frame", "name childclass pos"s + turns, "*"},
      {"replicate", "count offset sep childclass euler", "*"},
      {"inertial", "pos mass diaginertia fullinertia"s + turns, "*"},
      {"joint", "name"s + joint_words, "*"},
      {"freejoint", "name group align", "*"},
      {"geom", "name"s + geom_words, "*"},
      {"site", "name class type group pos material size fromto rgba user"s + turns, "*"},
      {"contact", "", "*"},
      {"pair", "name class geom1 geom2 condim friction solreffriction gap margin adhesion"s + solver, ""},
      {"exclude", "name body1 body2", ""},
      {"equality", "", "*"},
      {"default/equality", "active"s + solver, ""},
      {"connect", "name class body1 body2 site1 site2 anchor active"s + solver, ""},
      {"weld", "name class body1 body2 site1 site2 relpose anchor active torquescale"s + solver, ""},
      {"equality/joint", "name class joint1 joint2 polycoef active"s + solver, ""},
      {"equality/tendon", "name class tendon1 tendon2 polycoef active"s + solver, ""},
      {"tendon", "", "*"},
      {"default/tendon", tendon_words, ""},
      {"fixed", "name"s + tendon_words, "joint"},
      {"spatial", "name"s + tendon_words, "site geom pulley"},
      {"fixed/joint", "joint coef", ""},
      {"spatial/site", "site", ""},
      {"spatial/geom", "geom sidesite", ""},
      {"actuator", "", "*"},
      {"general",
       actuator_words + "actdim input velrange ffrange dyntype gaintype biastype dynprm gainprm biasprm actearly"s, ""},
      {"motor", actuator_words, ""},
      {"position", actuator_words + "inheritrange kp kv dampratio timeconst"s, ""},
      {"velocity damper", actuator_words + "kv"s, ""},
      {"intvelocity", actuator_words + "inheritrange kp kv dampratio"s, ""},
      {"cylinder", actuator_words + "timeconst area diameter bias"s, ""},
      {"adhesion", actuator_words + "gain"s, ""},
  };
}

Entries urdf_entries() {
  return {
      {"robot", "name version", "link joint material transmission gazebo sensor"},
      {"link", "name type", "inertial visual collision sensor contact"},
      {"inertial", "", "origin mass inertia"},
      {"origin", "xyz rpy quat_xyzw", ""},
      {"mass", "value", ""},
      {"inertia", "ixx ixy ixz iyy iyz izz", ""},
      {"collision", "name group", "origin geometry verbose"},
      {"geometry", "", "box sphere cylinder capsule mesh"},
      {"box", "size", ""},
      {"sphere", "radius", ""},
      {"cylinder capsule", "radius length", ""},
      {"mesh", "filename scale", ""},
      {"joint", "name type", "origin parent child axis calibration dynamics limit mimic safety_controller"},
      {"parent child", "link", ""},
      {"axis", "xyz", ""},
      {"dynamics", "damping friction", ""},
      {"limit", "lower upper effort velocity acceleration deceleration jerk", ""},
      {"mimic", "joint multiplier offset", ""},
      {"gazebo", "reference", "**"},
      {"contact", "",
       "lateral_friction restitution rolling_friction spinning_friction contact_cfm contact_erp stiffness damping "
       "inertia_scaling friction_anchor"},
      {"lateral_friction", "value", ""},
  };
}

Entries sdformat_links() {
  return {
      {"sdf", "version", "world model light actor link joint include frame"},  // the last four are told elsewhere
      {"world", "name",
       "model include frame joint physics gravity magnetic_field wind atmosphere scene gui light actor plugin "
       "population "
       "road state spherical_coordinates audio"},
      {"model", "name canonical_link placement_frame",
       "link joint model include frame pose static self_collide allow_auto_disable enable_wind gripper plugin scale"},
      {"include", "merge", "uri name pose static placement_frame plugin"},
      {"frame", "name attached_to", "pose"},
      {"pose", "relative_to frame rotation_format degrees", ""},
      {"link", "name",
       "inertial collision visual sensor pose frame gravity kinematic self_collide enable_wind velocity_decay "
       "must_be_base_link projector audio_sink audio_source battery light particle_emitter velocity acceleration "
       "wrench"},
      {"velocity_decay", "", "linear angular"},
      {"inertial", "auto", "mass inertia pose frame density auto_inertia_params fluid_added_mass"},
      {"inertia", "", "ixx ixy ixz iyy iyz izz"},
      {"collision", "name", "geometry surface pose frame max_contacts laser_retro density auto_inertia_params"},
      {"geometry", "", "box sphere cylinder capsule ellipsoid plane mesh heightmap image polyline cone empty"},
      {"box", "", "size"},
      {"sphere", "", "radius"},
      {"cylinder capsule", "", "radius length"},
      {"ellipsoid", "", "radii"},
      {"plane", "", "normal size"},
      {"heightmap", "", "uri size pos texture blend use_terrain_paging sampling"},
      {"mesh", "optimization", "uri submesh scale convex_decomposition"},
      {"submesh", "", "name center"},
      {"surface", "", "friction bounce contact soft_contact"},
      {"bounce", "", "restitution_coefficient threshold"},
      {"surface/friction", "", "ode bullet torsional"},
      {"friction/ode", "", "mu mu2 fdir1 slip1 slip2"},
      {"surface/contact", "",
       "collide_bitmask category_bitmask collide_without_contact collide_without_contact_bitmask poissons_ratio "
       "elastic_modulus ode bullet stiffness dissipation plastic_coef_restitution plastic_impact_velocity "
       "static_friction dynamic_friction viscous_friction"},
  };
}

Entries sdformat_joints() {
  return {
      {"joint", "name type",
       "parent child axis axis2 pose frame physics sensor angle gearbox_ratio gearbox_reference_body thread_pitch "
       "screw_thread_pitch"},
      {"axis axis2", "", "xyz limit dynamics initial_position use_parent_model_frame mimic"},
      {"mimic", "joint axis", "multiplier offset reference"},
      {"xyz", "expressed_in", ""},
      {"limit", "", "lower upper effort velocity stiffness dissipation"},
      {"dynamics", "", "damping friction spring_reference spring_stiffness"},
      {"mass ixx ixy ixz iyy iyz izz size radius length radii normal uri scale mu mu2 fdir1 lower upper damping "
       "spring_reference spring_stiffness dynamics/friction initial_position thread_pitch screw_thread_pitch "
       "use_parent_model_frame restitution_coefficient collide_bitmask category_bitmask self_collide static gravity "
       "kinematic parent child effort",
       "", ""},
  };
}

Entries joined(Entries first, const Entries& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

const Vocabulary& urdf_vocabulary() {
  static const Vocabulary vocabulary("URDF", Vocabulary::Strictness::open, urdf_entries());
  return vocabulary;
}

const Vocabulary& sdformat_vocabulary() {
  static const Vocabulary vocabulary("SDFormat", Vocabulary::Strictness::open,
                                     joined(sdformat_links(), sdformat_joints()));
  return vocabulary;
}

const Vocabulary& mjcf_vocabulary() {
  static const Vocabulary vocabulary("MJCF", Vocabulary::Strictness::closed, joined(mjcf_settings(), mjcf_bodies()));
  return vocabulary;
}

}  // namespace carom
