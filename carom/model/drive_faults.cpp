#include <cmath>

#include "carom/model/model_faults.h"

namespace carom {
namespace {

template <typename Named>
std::string label_of(const std::string& what, const Named& named) {
  return named.name.empty() ? "a " + what : what + " \"" + named.name + "\"";
}

void check_time_function(const std::string& label, const TimeFunction& function, std::vector<std::string>& faults) {
  const std::string fault = time_function_fault(function);
  if (!fault.empty()) faults.push_back(sentence(label, " ", fault, "."));
}

void check_servo(const std::string& label, const Drive& drive, std::vector<std::string>& faults) {
  for (const double gain : {drive.stiffness, drive.damping}) {
    if (std::isfinite(gain) && gain >= 0) continue;
    faults.push_back(
        sentence(label, " has a gain of ", gain, "; stiffness and damping must be finite and not negative."));
    return;
  }
  if (drive.stiffness == 0 && drive.damping == 0) {
    faults.push_back(sentence(label, " has neither stiffness nor damping, so it does nothing; give one of them."));
  }
  if (!(drive.limit > 0)) {
    faults.push_back(sentence(label, " has a limit of ", drive.limit, "; it must be positive, or infinite for none."));
  }
}

}  // namespace

std::string drive_label(const Drive& drive) { return label_of("drive", drive); }
std::string wrench_label(const AppliedWrench& wrench) { return label_of("wrench", wrench); }

void check_drives(const std::vector<Body>& bodies, const std::vector<Joint>& joints, const std::vector<Drive>& drives,
                  std::vector<std::string>& faults) {
  for (const Drive& drive : drives) {
    const std::string label = drive_label(drive);
    std::vector<CoordinateShare> all = drive.others;
    all.insert(all.begin(), {drive.body, drive.coordinate, drive.ratio});
    check_shares(bodies, joints, all, label, "drives", faults);
    check_time_function(label, drive.value, faults);
    if (drive.kind == DriveKind::servo) check_servo(label, drive, faults);
  }
}

void check_wrenches(const std::vector<AppliedWrench>& wrenches, std::vector<std::string>& faults) {
  for (const AppliedWrench& wrench : wrenches) {
    const std::string label = wrench_label(wrench);
    if (!wrench.point.allFinite() || !wrench.force.allFinite() || !wrench.torque.allFinite()) {
      faults.push_back(sentence(label, " has a number that is not finite; its point, force and torque must be."));
    }
    check_time_function(label, wrench.scale, faults);
  }
}

}  // namespace carom
