#pragma once

#include "carom/impact/law_entry.h"

// The entries of the product's laws, each in a file of carom/impact/entries.
namespace carom::law_entries {

extern const LawEntry none;
extern const LawEntry newton;
extern const LawEntry poisson;
extern const LawEntry plus;
extern const LawEntry plastic;
extern const LawEntry stronge;
extern const LawEntry lzb;
extern const LawEntry propagative;
extern const LawEntry energy_blend;

}  // namespace carom::law_entries
