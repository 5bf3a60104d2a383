#include "carom/record/exact_problem.h"

#include <array>

#include "carom/counted.h"
#include "carom/error.h"
#include "carom/record/fclib_matrix.h"

namespace carom {
namespace {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int format = 1;
constexpr int last_kind = static_cast<int>(BlockKind::ellipsoid);

/// The numbers of a block, one dataset each.
struct Field {
  const char* name;
  double Block::*value;
};
constexpr std::array<Field, 7> fields = {{{"torsion", &Block::torsion},
                                          {"offset", &Block::offset},
                                          {"push_speed", &Block::push_speed},
                                          {"restitution", &Block::restitution},
                                          {"floor", &Block::floor},
                                          {"lower", &Block::lower},
                                          {"upper", &Block::upper}}};

void write_blocks(ArrayFile& file, const std::vector<Block>& blocks) {
  const int count = static_cast<int>(blocks.size());
  std::vector<int> kind, row;
  std::vector<double> friction, values;
  for (const Block& block : blocks) {
    kind.push_back(static_cast<int>(block.kind));
    row.push_back(block.row);
    friction.insert(friction.end(), {block.friction.x(), block.friction.y()});
  }
  file.make_group("/carom/blocks");
  file.write_integers("/carom/blocks/kind", {count}, kind.data());
  file.write_integers("/carom/blocks/row", {count}, row.data());
  file.write_reals("/carom/blocks/friction", {count, 2}, friction.data());
  for (const Field& field : fields) {
    values.clear();
    for (const Block& block : blocks) values.push_back(block.*field.value);
    file.write_reals(std::string("/carom/blocks/") + field.name, {count}, values.data());
  }
}

template <class Number>
void demand_size(const ArrayFile& file, const std::string& dataset, const std::vector<Number>& values,
                 std::size_t size) {
  if (values.size() == size) return;
  throw Error(file.path() + ": " + dataset + " has " + counted(std::ssize(values), "entry", "entries") +
              "; it must have " + std::to_string(size));
}

std::vector<Block> read_blocks(const ArrayFile& file) {
  const std::vector<std::int64_t> kind = file.integers("/carom/blocks/kind"), row = file.integers("/carom/blocks/row");
  const std::vector<double> friction = file.reals("/carom/blocks/friction");
  std::vector<Block> blocks(kind.size());
  demand_size(file, "/carom/blocks/row", row, blocks.size());
  demand_size(file, "/carom/blocks/friction", friction, 2 * blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (kind[b] < 0 || kind[b] > last_kind || row[b] < 0 || row[b] > std::numeric_limits<int>::max() - 4) {
      throw Error(file.path() + ": block " + std::to_string(b) +
                  " of /carom/blocks has a kind or a row that there is not");
    }
    blocks[b].kind = static_cast<BlockKind>(kind[b]);
    blocks[b].row = static_cast<int>(row[b]);
    blocks[b].friction << friction[2 * b], friction[2 * b + 1];
  }
  for (const Field& field : fields) {
    const std::string dataset = std::string("/carom/blocks/") + field.name;
    const std::vector<double> values = file.reals(dataset);
    demand_size(file, dataset, values, blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b].*field.value = values[b];
  }
  return blocks;
}

void read_operator(const ArrayFile& file, StoredProblem& stored) {
  const Eigen::Index k = stored.rows();
  const std::string why = "/carom/u has " + counted(k, "entry", "entries");
  if (file.has("/carom/A/dense")) {
    const Eigen::VectorXd entries = read_fclib_vector(file, "/carom/A/dense", k * k, why);
    stored.form = ContactOperator::Form::dense;
    stored.dense = Eigen::Map<const RowMajorMatrix>(entries.data(), k, k);
  } else {
    stored.form = ContactOperator::Form::sparse;
    stored.sparse = read_fclib_matrix(file, "/carom/A", k, k, why);
  }
  if (file.has("/carom/skew")) stored.skew = read_fclib_matrix(file, "/carom/skew", k, k, why);
}

}  // namespace

void write_exact_problem(ArrayFile& file, const StoredProblem& stored) {
  const int k = static_cast<int>(stored.rows());
  const ProblemNotes& notes = stored.notes;
  file.make_group("/carom");
  write_fclib_integer(file, "/carom/format", format);
  if (stored.form == ContactOperator::Form::sparse) {
    write_fclib_matrix(file, "/carom/A", stored.sparse);
  } else {
    const RowMajorMatrix A = stored.dense;
    file.make_group("/carom/A");
    file.write_reals("/carom/A/dense", {k, k}, A.data());
  }
  if (!stored.is_symmetric()) write_fclib_matrix(file, "/carom/skew", stored.skew);
  write_fclib_vector(file, "/carom/u", stored.u);
  write_blocks(file, stored.blocks);
  if (notes.directions) write_fclib_integer(file, "/carom/directions", *notes.directions);
  if (notes.impulse.size() > 0) {
    write_fclib_vector(file, "/carom/impulse", notes.impulse);
    write_fclib_vector(file, "/carom/velocity", notes.velocity);
  }
  if (notes.guesses.empty()) return;
  std::vector<double> guesses;
  for (const Eigen::VectorXd& guess : notes.guesses) guesses.insert(guesses.end(), guess.begin(), guess.end());
  file.write_reals("/carom/guesses", {static_cast<int>(notes.guesses.size()), k}, guesses.data());
}

StoredProblem read_exact_problem(const ArrayFile& file) {
  const std::int64_t found = read_fclib_integer(file, "/carom/format");
  if (found != format) {
    throw Error(file.path() + ": the group /carom has format " + std::to_string(found) +
                "; this program reads format " + std::to_string(format));
  }
  StoredProblem stored;
  stored.u = read_fclib_vector(file, "/carom/u", -1, "");
  stored.blocks = read_blocks(file);
  read_operator(file, stored);

  ProblemNotes& notes = stored.notes;
  const Eigen::Index k = stored.rows();
  const std::string why = "/carom/u has " + std::to_string(k);
  if (file.has("/carom/directions")) {
    const std::int64_t directions = read_fclib_integer(file, "/carom/directions");
    if (directions != 0 && (directions < 3 || directions > 100000)) {
      throw Error(file.path() + ": /carom/directions must be 0, the exact cone, or at least 3");
    }
    notes.directions = static_cast<int>(directions);
  }
  if (file.has("/carom/impulse")) {
    notes.impulse = read_fclib_vector(file, "/carom/impulse", k, why);
    notes.velocity = read_fclib_vector(file, "/carom/velocity", k, why);
  }
  if (!file.has("/carom/guesses") || k == 0) return stored;
  const Eigen::VectorXd guesses = read_fclib_vector(file, "/carom/guesses", -1, "");
  if (guesses.size() % k != 0) throw Error(file.path() + ": /carom/guesses must have rows of " + std::to_string(k));
  for (Eigen::Index g = 0; g < guesses.size() / k; ++g) notes.guesses.emplace_back(guesses.segment(g * k, k));
  return stored;
}

}  // namespace carom
