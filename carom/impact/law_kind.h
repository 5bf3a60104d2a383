#pragma once

#include <iosfwd>

#include "carom/impact/law_entries.h"
#include "carom/impact/law_entry.h"

namespace carom {

/// A law, chosen: a name for its entry, which must outlive it. Laws are equal where their entries are the same one.
class LawKind {
 public:
  constexpr LawKind(const LawEntry& entry) : entry_(&entry) {}  // NOLINT(google-explicit-constructor)

  const LawEntry& entry() const { return *entry_; }
  const LawEntry* operator->() const { return entry_; }
  friend bool operator==(LawKind, LawKind) = default;
  friend std::ostream& operator<<(std::ostream& out, LawKind law);  ///< its name

  // The product's own, where code means one of them; another needs no place here.
  static const LawKind none, newton, poisson, plus, plastic, stronge, lzb, propagative, energy_blend;

 private:
  const LawEntry* entry_;
};

inline constexpr LawKind LawKind::none{law_entries::none};
inline constexpr LawKind LawKind::newton{law_entries::newton};
inline constexpr LawKind LawKind::poisson{law_entries::poisson};
inline constexpr LawKind LawKind::plus{law_entries::plus};
inline constexpr LawKind LawKind::plastic{law_entries::plastic};
inline constexpr LawKind LawKind::stronge{law_entries::stronge};
inline constexpr LawKind LawKind::lzb{law_entries::lzb};
inline constexpr LawKind LawKind::propagative{law_entries::propagative};
inline constexpr LawKind LawKind::energy_blend{law_entries::energy_blend};

}  // namespace carom
