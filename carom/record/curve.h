#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace carom {

/// Most points that a curve of the report has.
inline constexpr std::size_t largest_curve = 2000;

/// A curve of at most `largest` points that keeps the extremes. If there are more values, they are cut into largest / 2
/// runs of neighbours. Each run keeps its smallest and its largest value, in the order in which they came. A run that
/// holds a value that is not finite shows it. O(n).
std::vector<double> thin(const std::vector<double>& values, std::size_t largest = largest_curve);
/// The times that go with it: the first and the last of each run.
std::vector<double> thin_times(const std::vector<double>& times, std::size_t largest = largest_curve);

/// Little-endian float32 in base64. Doubles beyond the range of float32 become infinite.
std::string base64(const std::vector<double>& values);
/// Bytes in base64 (RFC 4648).
std::string base64_bytes(const std::vector<std::uint8_t>& bytes);

}  // namespace carom
