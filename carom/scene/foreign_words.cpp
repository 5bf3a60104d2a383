#include "carom/scene/foreign_words.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

struct Translation {
  const char* foreign;  ///< words with a blank between them, in small letters, without underscores and hyphens
  const char* own;
};

/// A foreign word may stand for several of ours: the first that the place knows is meant.
constexpr std::array translations = {
    // bodies and shapes; what is not the same number, as a diameter for a radius, is not here
    Translation{"link links object objects rigidbody rigidbodies part parts", "bodies"},
    Translation{"geom geoms geometry geometries collision collisions collider colliders shape", "shapes"},
    Translation{"ground floor environment static statics", "world"},
    Translation{"pos translation xyz origin location place q initialposition init start", "position"},
    Translation{"quat quaternion rot rotation attitude euler rpy", "orientation"},
    Translation{"rpy euler eulers rollpitchyaw eulerangles", "roll_pitch_yaw"},
    Translation{"vel linearvelocity linvel v qd qvel speed", "velocity"},
    Translation{"omega angvel angularvel spin w rotvel", "angular_velocity"},
    Translation{"rho", "density"},
    Translation{"m", "mass"},
    Translation{"inertial inertiatensor inertiamatrix", "inertia"},
    Translation{"r rad", "radius"},
    Translation{"halfheight", "half_length"},
    Translation{"height h len", "length"},
    Translation{"halfsize halfsizes", "half_extents"},
    Translation{"dimensions dims extents", "size"},
    Translation{"axes radii", "semi_axes"},
    Translation{"com cog centerofmass", "center"},
    Translation{"filename path uri url mesh", "file"},
    Translation{"plane ground floor halfplane", "half-space"},
    Translation{"cube cuboid block brick", "box"},
    Translation{"ball", "sphere"},
    Translation{"convex convexhull hull stl obj", "mesh"},
    Translation{"terrain heightmap hfield", "heightfield"},
    // materials
    Translation{"mu mu1 mus muk frictioncoefficient coefficientoffriction slidingfriction lateralfriction", "friction"},
    Translation{"mustatic mus", "static_friction"},
    Translation{"e cor bounce bounciness restitutioncoefficient coefficientofrestitution elasticity", "restitution"},
    Translation{"surface", "material"},
    Translation{"surfaces", "materials"},
    // joints and drives
    Translation{"hinge continuous rotational rotary pin", "revolute"},
    Translation{"slide slider linear translational", "prismatic"},
    Translation{"ball ballsocket ballandsocket", "spherical"},
    Translation{"floating freejoint 6dof", "free"},
    Translation{"weld rigid", "fixed"},
    Translation{"weld rigid", "weld"},
    Translation{"cardan hooke", "universal"},
    Translation{"body1 bodya parentlink base", "parent"},
    Translation{"body2 bodyb childlink follower", "child"},
    Translation{"range limit", "limits"},
    Translation{"min lowerlimit low", "lower"},
    Translation{"max upperlimit high", "upper"},
    Translation{"armature rotorinertia", "reflected_inertia"},
    Translation{"frictionloss jointfriction dryfriction", "friction"},
    Translation{"kp k springstiffness pgain spring", "stiffness"},
    Translation{"kp k stiffness springstiffness", "spring"},
    Translation{"kd kv d c b dampingcoefficient dgain", "damping"},
    Translation{"springref springreference restlength", "rest"},
    Translation{"actuator actuators motor motors controller controllers", "drives"},
    Translation{"pd pid position positioncontrol", "servo"},
    Translation{"motor torque effort", "force"},
    Translation{"setpoint reference ref desired", "target"},
    Translation{"maxforce maxtorque effort forcelimit saturation", "limit"},
    Translation{"equality equalities loops loop", "constraints"},
    Translation{"cable tendon string", "rope"},
    Translation{"springdamper springdampers bungee elastic ligament linearspring", "spring"},
    Translation{"restlength freelength springlength naturallength l0 l rest", "length"},
    Translation{"side", "acts"},
    // the run
    Translation{"dt timestep h stepsize deltat maxstepsize", "step"},
    Translation{"tend tmax endtime finaltime until time simulationtime t", "duration"},
    Translation{"g", "gravity"},
    Translation{"solver integrator engine physics option options simulation", "method"},
    Translation{"solver integrator scheme", "stepper"},
    Translation{"impact impactlaw collisionlaw contactlaw contactmodel", "law"},
    Translation{"urdf sdf mjcf robots robot include", "models"},
    Translation{"output log", "record"},
    Translation{"variables constants params", "parameters"},
};

/// Words for what is not written as one key here.
struct Detour {
  const char* foreign;  ///< as above
  const char* own;      ///< a key of the place that is meant
  const char* sentence;
};

constexpr std::array detours = {
    Detour{"diameter dia diam d", "radius", "write 'radius', which is half of it"},
    Detour{"rollpitchyaw rpy euler eulers eulerangles", "orientation",
           "write orientation: {roll_pitch_yaw: [roll, pitch, yaw]}, in rad"},
    Detour{"step dt timestep h stepsize deltat maxstepsize", "method", "write it into the map method: {step: …}, in s"},
};

constexpr std::size_t longest = 32;  ///< of a word

std::string plain(std::string_view word) {
  std::string letters;
  for (const char c : word) {
    if (c != '_' && c != '-' && c != ' ') letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return letters;
}

bool has_word(std::string_view words, const std::string& word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace

std::string own_word(std::string_view word, const std::vector<std::string>& known) {
  if (word.empty() || word.size() > longest) return {};
  const std::string letters = plain(word);
  for (const Translation& translation : translations) {
    if (!has_word(translation.foreign, letters)) continue;
    if (std::find(known.begin(), known.end(), translation.own) != known.end()) return translation.own;
  }
  return {};
}

Advice advice_for(std::string_view word, const std::vector<std::string>& known) {
  const std::string letters = plain(word.substr(0, longest + 1));
  for (const Detour& detour : detours) {
    if (!has_word(detour.foreign, letters)) continue;
    if (std::find(known.begin(), known.end(), detour.own) != known.end()) return {detour.own, detour.sentence};
  }
  return {};
}

}  // namespace carom
