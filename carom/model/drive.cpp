#include "carom/model/drive.h"

namespace carom {

std::string drive_name(DriveKind kind) { return kind == DriveKind::force ? "force" : "servo"; }

}  // namespace carom
