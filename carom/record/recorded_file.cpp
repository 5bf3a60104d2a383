#include "carom/record/recorded_file.h"

#include "carom/error.h"
#include "carom/record/hdf5_file.h"

namespace carom {

std::optional<RecordedFile> recorded_file(const std::string& path) {
  try {
    const Hdf5File file = Hdf5File::open_for_reading(path);
    static_cast<void>(file.integer("/", "format"));
    RecordedFile recorded{file.text("/scene", "file"), {}};
    if (!file.has("/scene/text")) return recorded;
    for (const std::string& text : file.read_texts("/scene/text")) recorded.text += text;
    return recorded;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace carom
