#pragma once

#include "carom/import/build.h"
#include "testing/fuzz/fuzz_target.h"

namespace carom::fuzz {

/// Reads a model's text and builds of it what can be built: a file that a reader accepts must not be at fault later.
template <class Parse>
int read_model(const Parse& parse, const std::string& name, const std::uint8_t* data, std::size_t size) {
  return read_or_refuse([&] { static_cast<void>(builder_of(parse(text_of(data, size), name, {})).build()); });
}

}  // namespace carom::fuzz
