#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carom/study/method_choice.h"
#include "carom/study/noisy_minimum.h"
#include "carom/validation/cube_fits.h"
#include "carom/validation/planar_strike.h"

// Parameters of scenes fitted to measured planar impacts or drops of a body, so that each is judged by values fitted
// without it. A law is a method and the parameters of its scene that are fitted. For each of five folds (planar_fold)
// they are fitted to those of the others. One more fit, to all, is for what is not of this file.
namespace carom {

/// A parameter of the scene that is fitted, and between what values it is sought.
struct PlanarParameter {
  std::string name;
  double start = 0, lower = 0, upper = 1;
};

/// Values fitted for one body.
struct PlanarBodyFit {
  FittedValues all;
  std::vector<FittedValues> folds;
};

/// A law that is fitted: BODY.yaml of the validation's folder of scenes, or BODY_VARIANT.yaml (landing.yaml of a
/// robot), with another method and other numbers.
struct PlanarLaw {
  std::string name;
  std::string title;  ///< as tables have it
  MethodChoice method;
  std::string variant = {};                           ///< of the scene; empty: none
  std::vector<std::pair<std::string, double>> fixed;  ///< parameters that have this value
  std::vector<PlanarParameter> parameters;            ///< those that are fitted
  std::map<std::string, double> published;            ///< by body: mean kinetic error that the data's authors found
  std::map<std::string, PlanarBodyFit> fits;          ///< by body; empty before the fit
};

/// Laws and folds of one file, JSON.
struct PlanarFits {
  std::map<std::string, std::vector<std::vector<std::int64_t>>> folds;  ///< by body: numbers of records or drops
  std::vector<PlanarLaw> laws;
};
/// Throws Error that names the file and what would be right.
PlanarFits read_planar_fits(const std::string& path);
void write_planar_fits(const PlanarFits& fits, const std::string& path);
/// Those of `path`. Before the first fit into a new file: the laws of `shipped`, without values.
PlanarFits planar_fits_for(const std::string& path, const std::string& shipped, bool fit);

/// Name of the law's scene file of a body.
std::string planar_scene_name(const PlanarLaw& law, const std::string& body);

/// The law's scene of a body with these values: text and `file` are those of the body's scene. Throws SceneError if it
/// makes no sense.
Scene planar_scene(const std::string& text, const std::string& file, const PlanarLaw& law,
                   const std::vector<double>& values);

/// These numbers of records or drops dealt to their folds (planar_fold), each once, ascending.
std::vector<std::vector<std::int64_t>> planar_fold_numbers(const std::vector<std::int64_t>& numbers);
std::vector<std::vector<std::int64_t>> planar_fold_numbers(const PlanarImpacts& impacts);
/// The fold that has the number; their count if none has.
std::size_t fold_of(const std::vector<std::vector<std::int64_t>>& folds, std::int64_t number);
/// Makes these the body's folds. Values that were fitted by others are worth nothing beside them, and go.
void set_folds(PlanarFits& fits, const std::string& body, std::vector<std::vector<std::int64_t>> folds);

/// The error of a scene over all that a fit for this fold may see; fold −1: all.
using FoldObjective = std::function<double(const Scene& scene, int fold)>;
/// Fits the law's values for a body: to all, then for each fold, from the values for all, to the others. Values that
/// the law has for these folds are starts too, so that no fit ends worse than it began. `text`, `file`: those of the
/// body's scene.
PlanarBodyFit fit_by_folds(const PlanarLaw& law, const std::string& body, const std::string& text,
                           const std::string& file, const FoldObjective& objective, const MinimumOptions& options);

/// The same to the body's impacts, by their mean kinetic error.
PlanarBodyFit fit_planar(const PlanarLaw& law, const std::string& text, const std::string& file,
                         const PlanarImpacts& impacts, const MinimumOptions& options,
                         const std::function<void(const std::string&)>& progress = {});

/// Velocities after the impacts, each by values that were fitted without it. These are the values of its fold if its
/// number is in `folds`, else those for all.
PlanarStrikes predict_unseen(const PlanarLaw& law, const std::string& text, const std::string& file,
                             const PlanarImpacts& impacts, const std::vector<std::vector<std::int64_t>>& folds);

}  // namespace carom
