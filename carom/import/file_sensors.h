#pragma once

#include <string>
#include <vector>

#include "carom/import/imported_model.h"

namespace carom {

/// A sensor by the names of its file, before links that are fixed to one another become one.
struct FileSensor {
  ImportNote said;   ///< where it stands, and how a sentence on it begins: `<gyro> "chip_rate"`
  std::string name;  ///< as the file calls it, or one made for it
  SensorKind kind = SensorKind::imu;
  std::string link;                 ///< that it is fixed to; of a force_torque sensor the child of its joint
  std::string joint;                ///< of a force_torque sensor; empty: the joint that the link hangs on
  Transform X_LS;                   ///< S in the link
  std::vector<int> colliders;       ///< of a contact sensor, numbers in the model
  std::vector<std::string> unused;  ///< ends of sentences on parts of it that are not used
};

/// Adds the warning that a contact sensor names a collision that the file has not.
void warn_of_collision(const ImportNote& said, const std::string& collision, std::vector<ImportNote>& warnings);

/// Adds the sensors to a model whose links are merged, on the bodies that their links have become. A name that a link,
/// frame, joint, constraint or other sensor has already gets `_sensor` at its end. A sensor that can't read anything
/// here becomes an unused part, with the reason.
void place_sensors(const std::vector<FileSensor>& sensors, ImportedModel& model);

}  // namespace carom
