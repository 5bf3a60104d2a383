#include <algorithm>
#include <cmath>

#include "carom/model/model_faults.h"

namespace carom {
namespace {

bool is_fraction(double value) { return value >= 0 && value <= 1; }
bool is_not_negative(double value) { return std::isfinite(value) && value >= 0; }
bool is_positive(double value) { return std::isfinite(value) && value > 0; }

/// The data of one material, or of one pair, given a label for sentences.
class SurfaceCheck {
 public:
  SurfaceCheck(std::string label, std::vector<std::string>& faults) : label_(std::move(label)), faults_(faults) {}

  void friction(const Vec2& friction, const std::optional<Vec2>& static_friction, double viscous_friction) const {
    const bool sound = friction.allFinite() && friction.minCoeff() >= 0;
    if (!sound) {
      add(" has friction (", friction.x(), ", ", friction.y(), "); both coefficients must be finite and not negative.");
    }
    const Vec2 sticking = static_friction.value_or(friction);
    const bool fits = sticking.allFinite() && (sticking.array() >= friction.array()).all();
    if (sound && !fits) {
      add(" has static friction (", sticking.x(), ", ", sticking.y(), ") beside friction (", friction.x(), ", ",
          friction.y(), "); what sticks must hold at least as much as what slides, and be finite.");
    }
    if (!is_not_negative(viscous_friction)) {
      add(" has viscous friction ", viscous_friction, " s/m; it must be finite and not negative.");
    }
  }

  void torsional_friction(double radius) const {
    if (!is_not_negative(radius)) add(" has torsional friction ", radius, " m; it must be finite and not negative.");
  }

  void layer(const Layer& layer) const {
    for (const LayerFault& fault : layer_faults(layer)) {
      add(" has a layer whose ", fault.field, " ", fault.what, ".");
    }
  }

  void impact_friction(const std::optional<Vec2>& friction) const {
    if (!friction || (friction->allFinite() && friction->minCoeff() >= 0)) return;
    add(" has impact friction (", friction->x(), ", ", friction->y(),
        "); both coefficients must be finite and not negative.");
  }

  void impacts(double friction_slope, const std::optional<TangentialSpring>& spring) const {
    if (!std::isfinite(friction_slope)) add(" has impact friction slope ", friction_slope, " s/m; it must be finite.");
    if (!spring) return;
    if (!is_positive(spring->stiffness)) {
      add(" has a tangential spring of stiffness ", spring->stiffness,
          " (over the normal one); it must be finite and positive.");
    }
    if (!is_fraction(spring->restitution)) {
      add(" has a tangential spring of restitution ", spring->restitution, "; it must lie between 0 and 1.");
    }
  }

  void restitution(const Restitution& law) const {
    std::visit([&](const auto& kind) { check(kind); }, law);
  }

  void elasticity(const Material& material) const {
    if (!is_not_negative(material.youngs_modulus)) {
      add(" has Young's modulus ", material.youngs_modulus, " Pa; it must be finite and positive, or 0 if not given.");
    }
    if (!(material.poisson_ratio > -1 && material.poisson_ratio < 0.5)) {
      add(" has Poisson's ratio ", material.poisson_ratio, "; it must lie between -1 and 0.5 and be neither.");
    }
    if (!is_not_negative(material.dissipation)) {
      add(" has dissipation ", material.dissipation, " s/m; it must be finite and not negative.");
    }
    if (!is_positive(material.contact_radius)) {
      add(" has contact radius ", material.contact_radius, " m; it must be finite and positive.");
    }
  }

 private:
  template <typename... Parts>
  void add(const Parts&... parts) const {
    faults_.push_back(sentence(label_, parts...));
  }

  void check(const ConstantRestitution& law) const {
    if (!is_fraction(law.e)) add(" has restitution ", law.e, "; it must lie between 0 and 1.");
  }

  void check(const CaptureRestitution& law) const {
    if (!is_not_negative(law.capture)) {
      add(" has capture speed ", law.capture, " m/s of its restitution; it must be finite and not negative.");
    }
    if (!is_positive(law.plastic)) {
      add(" has plastic speed ", law.plastic, " m/s of its restitution; it must be finite and positive.");
    } else if (law.plastic < law.capture) {
      add(" has plastic speed ", law.plastic, " m/s of its restitution below the capture speed ", law.capture,
          " m/s; it must not be less.");
    }
    if (!is_fraction(law.minimum)) {
      add(" has minimum ", law.minimum, " of its restitution; it must lie between 0 and 1.");
    }
  }

  void check(const LineRestitution& law) const {
    if (!is_not_negative(law.slope)) {
      add(" has slope ", law.slope, " s/m of its restitution; it must be finite and not negative.");
    }
  }

  void check(const TableRestitution& law) const {
    if (law.points.empty()) add(" has a table of restitution without points; give at least one.");
    for (std::size_t i = 0; i < law.points.size(); ++i) {
      const auto& [speed, e] = law.points[i];
      if (!is_not_negative(speed)) {
        add(" has the speed ", speed, " m/s in its table of restitution; it must be finite and not negative.");
      } else if (i > 0 && !(speed > law.points[i - 1].first)) {
        add(" has the speed ", speed, " m/s after ", law.points[i - 1].first,
            " m/s in its table of restitution; speeds must rise.");
      }
      if (!is_fraction(e)) {
        add(" has restitution ", e, " at ", speed, " m/s in its table; it must lie between 0 and 1.");
      }
    }
  }

  std::string label_;
  std::vector<std::string>& faults_;
};

void check_pair(const std::string& whose, const NamedPair& together, std::vector<std::string>& faults) {
  const SurfaceCheck check(whose, faults);
  check.friction(together.friction, together.static_friction, together.viscous_friction);
  check.impact_friction(together.impact_friction);
  check.torsional_friction(together.torsional_friction);
  check.impacts(together.impact_friction_slope, together.tangential_spring);
  check.restitution(together.restitution);
}

}  // namespace

void check_materials(const std::vector<Material>& materials, const std::vector<MaterialPair>& pairs,
                     std::vector<std::string>& faults) {
  const int count = static_cast<int>(materials.size());
  for (const Material& material : materials) {
    const SurfaceCheck check("material \"" + material.name + "\"", faults);
    check.friction(material.friction, material.static_friction, material.viscous_friction);
    check.impact_friction(material.impact_friction);
    check.restitution(material.restitution);
    check.elasticity(material);
    check.torsional_friction(material.torsional_friction);
    check.impacts(material.impact_friction_slope, material.tangential_spring);
    if (material.layer) check.layer(*material.layer);
  }
  std::vector<std::pair<int, int>> named;
  for (const MaterialPair& pair : pairs) {
    if (std::min(pair.a, pair.b) < 0 || std::max(pair.a, pair.b) >= count) {
      faults.push_back(sentence("a pair of materials names numbers ", pair.a, " and ", pair.b, ", but the model has ",
                                counted(materials.size(), "material", "materials"), ", numbered from 0."));
      continue;
    }
    const std::string whose =
        "the pair of materials \"" + materials[pair.a].name + "\" and \"" + materials[pair.b].name + "\"";
    check_pair(whose, pair.together, faults);
    const std::pair<int, int> key = std::minmax(pair.a, pair.b);
    if (std::find(named.begin(), named.end(), key) != named.end()) {
      faults.push_back(sentence(whose, " is named more than once; name it once."));
    }
    named.push_back(key);
  }
}

void check_collider_pairs(const std::vector<Collider>& colliders, const std::vector<ColliderPair>& pairs,
                          std::vector<std::string>& faults) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string whose = "pair " + std::to_string(i) + " of colliders";
    for (const std::vector<int>* side : {&pairs[i].a, &pairs[i].b}) {
      for (const int number : *side) {
        if (number >= 0 && number < static_cast<int>(colliders.size())) continue;
        faults.push_back(sentence(whose, " names number ", number, ", but the model has ",
                                  counted(colliders.size(), "collider", "colliders"), ", numbered from 0."));
      }
    }
    check_pair(whose, pairs[i].together, faults);
  }
}

}  // namespace carom
