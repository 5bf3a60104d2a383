#include "carom/impact/law_kind.h"

#include <ostream>

namespace carom {

std::ostream& operator<<(std::ostream& out, LawKind law) { return out << law->name; }

}  // namespace carom
