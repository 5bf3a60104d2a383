#pragma once

#include <string>

#include "carom/model/state.h"

namespace carom {

/// A body's name; −1: "world".
std::string body_name(const Model& model, int body);
/// "ball – floor", "link, lower limit", "rope of a and b": bodies as of ContactReport, shapes by their own names where
/// a body has several.
std::string contact_name(const Model& model, const ContactId& id, int body_a, int body_b);

}  // namespace carom
