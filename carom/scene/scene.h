#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/error.h"
#include "carom/model/model.h"
#include "carom/model/state.h"
#include "carom/stepper/method.h"

namespace carom {

/// What a run writes down.
struct RecordOptions {
  int every = 1;         ///< a frame of the state every so many steps
  bool contacts = true;  ///< contacts and impulses of the recorded steps
};

/// All that a run needs, as read from a scene file.
struct Scene {
  std::string name;
  std::string file;  ///< where it was read from
  std::string text;  ///< the file itself: a record carries it
  std::shared_ptr<const Model> model;
  State initial;
  Method method;
  double duration = 0;  ///< s
  RecordOptions record;
};

/// One thing wrong with an input file.
struct Diagnostic {
  std::string file;
  int line = 0;    ///< from 1; 0 if it concerns the whole file
  int column = 0;  ///< from 1
  std::string message;  ///< what is wrong, and what would be right
};

/// Everything wrong with a scene file at once. what() is one "file:line:column: message" per line.
class SceneError : public Error {
 public:
  explicit SceneError(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// Reads a scene file. Throws SceneError with all faults in it, sorted by line.
Scene load_scene(const std::string& path);
/// The same from text; `file` names it in diagnostics and is the base of relative paths.
Scene parse_scene(const std::string& text, const std::string& file);

}  // namespace carom
