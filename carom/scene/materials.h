#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carom/model/model.h"
#include "carom/scene/values.h"

namespace carom {

/// An entry of `pairs` that names bodies or shapes; surface_pairs.h finds them, once they have been read.
struct SurfacePair {
  const YamlNode* names = nullptr;  ///< of the scene's text; a list of two
  bool of_shapes = false;           ///< else of bodies
  NamedPair together;
};

/// Content of the keys `materials`, `combination` and `pairs`.
struct SceneMaterials {
  struct Bounce {
    std::string whose;
    Place place;
  };
  struct Friction {
    std::string key;  ///< of friction_data (ignored_data.h)
    std::string whose;
    Place place;
  };

  std::vector<Material> materials;
  std::map<std::string, int> index;     ///< by name
  std::map<std::string, Place> places;  ///< by name: of the layer, or of the material if it has none
  bool complete = true;                 ///< false if a material's name could not be read
  bool combination_is_given = false;
  Combination friction_rule = Combination::geometric_mean;
  Combination restitution_rule = Combination::maximum;
  std::vector<MaterialPair> pairs;
  std::vector<SurfacePair> surface_pairs;
  std::vector<Bounce> bounces;  ///< every restitution above zero, for the check that the law minds it
  std::vector<std::string> default_poisson_ratio;  ///< names of materials with a youngs_modulus alone
  std::vector<Friction> frictions;  ///< every friction of other kind that differs from the plain one, likewise
};

/// `scene` is the whole scene's map. The combination must be written out once it lists two materials; those that models
/// bring with them count for told_of_combination.
SceneMaterials read_materials(const YamlNode& scene, Diagnostics& diagnostics);

/// Number of the material that a `material` key names.
std::optional<int> read_material_reference(const YamlNode& node, const std::string& label,
                                           const SceneMaterials& materials, Diagnostics& diagnostics);

}  // namespace carom
