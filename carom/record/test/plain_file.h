#pragma once

#include <string>
#include <vector>

#include "carom/record/array_file.h"
#include "carom/record/fclib_matrix.h"

namespace carom::test {

/// A problem file's /fclib_local, solution and guesses without the group /carom, as another program would have written
/// them. That program would not write the group or dataset `left_out`.
inline void copy_plain(const std::string& from, const std::string& to, const std::string& left_out = "") {
  const ArrayFile source = ArrayFile::open(from);
  ArrayFile target = ArrayFile::create(to);
  for (const char* group : {"/fclib_local", "/fclib_local/vectors", "/fclib_local/W", "/fclib_local/V",
                            "/fclib_local/R", "/solution", "/guesses", "/guesses/1", "/guesses/2"}) {
    if (source.has(group) && group != left_out) target.make_group(group);
  }
  const auto copy_integers = [&](const std::string& name) {
    if (!source.has(name) || name == left_out) return;
    std::vector<int> values;
    for (std::int64_t value : source.integers(name)) values.push_back(static_cast<int>(value));
    target.write_integers(name, {static_cast<int>(values.size())}, values.data());
  };
  const auto copy_reals = [&](const std::string& name) {
    if (!source.has(name)) return;
    if (name == left_out || name.substr(0, name.rfind('/')) == left_out) return;
    const std::vector<double> values = source.reals(name);
    target.write_reals(name, {static_cast<int>(values.size())}, values.data());
  };
  copy_integers("/fclib_local/spacedim");
  for (const char* name : {"q", "s", "mu"}) copy_reals(std::string("/fclib_local/vectors/") + name);
  for (const char* matrix : {"W", "V", "R"}) {
    const std::string group = std::string("/fclib_local/") + matrix + "/";
    for (const char* name : {"m", "n", "nz", "nzmax", "p", "i"}) copy_integers(group + name);
    copy_reals(group + "x");
  }
  copy_integers("/guesses/number_of_guesses");
  for (const char* group : {"/solution", "/guesses/1", "/guesses/2"}) {
    for (const char* name : {"/r", "/u", "/l"}) copy_reals(std::string(group) + name);
  }
  target.finish();
}

/// A local problem by hand: W in compressed rows, nothing beside it.
inline void write_plain(const std::string& path, const Eigen::MatrixXd& W, const Eigen::VectorXd& q,
                        const Eigen::VectorXd& mu, int dimension = 3) {
  ArrayFile file = ArrayFile::create(path);
  file.make_group("/fclib_local");
  file.make_group("/fclib_local/vectors");
  write_fclib_integer(file, "/fclib_local/spacedim", dimension);
  write_fclib_matrix(file, "/fclib_local/W", W.sparseView());
  write_fclib_vector(file, "/fclib_local/vectors/q", q);
  write_fclib_vector(file, "/fclib_local/vectors/mu", mu);
  file.finish();
}

}  // namespace carom::test
