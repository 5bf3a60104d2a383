#pragma once

#include <mujoco/mujoco.h>

#include <algorithm>
#include <memory>
#include <string>

#include "carom/error.h"
#include "carom/spatial/transform.h"

namespace carom::test {

/// A model in MuJoCo with its data, read from the text of an MJCF file.
class Mujoco {
 public:
  /// Throws Error if MuJoCo does not read it.
  explicit Mujoco(const std::string& text) {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "model.xml", static_cast<int>(text.size()));
    std::copy(text.begin(), text.end(), static_cast<char*>(files->filedata[0]));
    char error[1000] = "";
    m = mj_loadXML("model.xml", files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    if (!m) throw Error(std::string("MuJoCo does not read the model: ") + error);
    d = mj_makeData(m);
  }
  Mujoco(const Mujoco&) = delete;
  Mujoco& operator=(const Mujoco&) = delete;
  ~Mujoco() {
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  int body(const std::string& name) const { return mj_name2id(m, mjOBJ_BODY, name.c_str()); }
  Transform pose(int body) const {
    return {Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(d->xmat + 9 * body),
            Eigen::Map<const Vec3>(d->xpos + 3 * body)};
  }

  mjModel* m = nullptr;
  mjData* d = nullptr;
};

}  // namespace carom::test
