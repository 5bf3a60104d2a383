#include <map>
#include <utility>

#include "carom/import/mjcf/reader.h"

// A fixed tendon has the length L = Σ cᵢ qᵢ, and its force F pulls joint i with cᵢ F. Equalities may tie the joints by
// qᵢ = rᵢ q + oᵢ, with q the first of them. Then L = (Σ cᵢ rᵢ) q + Σ cᵢ oᵢ. By virtual work, the tendon acts on the
// mechanism like the force (Σ cᵢ rᵢ) F on the first joint alone.
namespace carom::mjcf {
namespace {

using Coordinate = std::pair<int, int>;  // link, coordinate

struct Line {
  double ratio = 1, offset = 0;
};

/// Every coordinate that couplers tie to `first`, as a line over it.
std::map<Coordinate, Line> tied_to(const Coordinate& first, const std::vector<Constraint>& constraints) {
  std::map<Coordinate, Line> lines{{first, {}}};
  for (std::size_t before = 0; before < lines.size();) {
    before = lines.size();
    for (const Constraint& tie : constraints) {
      if (tie.kind != ConstraintKind::coupler) continue;
      const Coordinate a(tie.body_a, tie.coordinate_a), b(tie.body_b, tie.coordinate_b);
      if (const auto of_b = lines.find(b); of_b != lines.end()) {
        lines.emplace(a, Line{tie.ratio * of_b->second.ratio, tie.ratio * of_b->second.offset + tie.offset});
      }
      if (const auto of_a = lines.find(a); of_a != lines.end() && tie.ratio != 0) {
        lines.emplace(b, Line{of_a->second.ratio / tie.ratio, (of_a->second.offset - tie.offset) / tie.ratio});
      }
    }
  }
  return lines;
}

}  // namespace

std::optional<TiedLength> tied_length(const FixedTendon& tendon, const Reader& reader) {
  if (tendon.parts.empty()) return {};
  const FileJoint& first = reader.joints[tendon.parts.front().joint];
  const auto lines = tied_to({first.link, first.coordinate}, reader.model.constraints);
  TiedLength length{tendon.parts.front().joint, 0, 0, 0};
  for (const FixedTendon::Part& part : tendon.parts) {
    const FileJoint& joint = reader.joints[part.joint];
    const auto line = lines.find({joint.link, joint.coordinate});
    if (line == lines.end()) return {};
    length.factor += part.coefficient * line->second.ratio;
    length.offset += part.coefficient * line->second.offset;
    length.slack += part.coefficient * joint.springref;
  }
  return length;
}

}  // namespace carom::mjcf
