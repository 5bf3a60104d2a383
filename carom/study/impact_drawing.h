#pragma once

#include <optional>
#include <string>

#include "carom/record/drawing.h"
#include "carom/study/impact_study.h"

namespace carom {

/// The outcomes in a plane of the kinetic metric, lengths over √(2 E):
///
///     x = ⟨y − y_pl, e_1⟩,   y = ⟨y − y_pl, e_2⟩,   y_pl the plastic outcome on the span of the normals.
///
/// Elastic outcomes lie on the sphere around y_pl through the momentum before, within the span. A span of two
/// dimensions is itself the plane. One dimension is drawn with the direction in which friction takes the laws furthest.
/// For more dimensions, the two principal directions of the outcomes are drawn. Up is where all contacts open, and the
/// momentum before is to the left. Without outcomes nothing is drawn.
Drawing impact_drawing(const ImpactStudy& report);

/// Outcomes that lie close together, on a scale of their own, with the laws that land among them. Empty if they are
/// further apart than a fifth of the speed, or if there is only one.
std::optional<Drawing> close_drawing(const ImpactStudy& report);

/// Sentences on what the drawing shows, one or two.
std::string drawing_note(const ImpactStudy& report);

}  // namespace carom
