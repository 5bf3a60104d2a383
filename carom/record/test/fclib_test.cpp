#include "carom/record/fclib.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/contact_solver.h"
#include "carom/error.h"
#include "carom/problem_files/fclib_global.h"
#include "carom/problem_files/fclib_local.h"
#include "carom/record/test/plain_file.h"
#include "carom/record/test/random_problem.h"
#include "carom/record/test/test_folder.h"

namespace carom::fclib_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::copy_plain;
using test::Numbers;
using test::random_problem;
using test::write_plain;

namespace fs = std::filesystem;

const std::vector<BlockKind> all_kinds = {BlockKind::bilateral, BlockKind::bounded, BlockKind::unilateral,
                                          BlockKind::cone, BlockKind::ellipsoid};

int count(int full, int subset) { return std::getenv("CAROM_LONG") != nullptr ? full : subset; }

/// Equal to the bit, so that −0 is not 0.
bool same_bits(const double* a, const double* b, Eigen::Index size) {
  return size == 0 || std::memcmp(a, b, static_cast<std::size_t>(size) * sizeof(double)) == 0;
}

bool same_bits(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() && same_bits(a.data(), b.data(), a.size());
}

bool same_bits(const Eigen::SparseMatrix<double>& a, const Eigen::SparseMatrix<double>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols() || a.nonZeros() != b.nonZeros()) return false;
  return std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.outerSize() + 1, b.outerIndexPtr()) &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr()) &&
         same_bits(a.valuePtr(), b.valuePtr(), a.nonZeros());
}

bool same_block(const Block& a, const Block& b) {
  return a.kind == b.kind && a.row == b.row && a.friction == b.friction && a.torsion == b.torsion &&
         a.offset == b.offset && a.push_speed == b.push_speed && a.restitution == b.restitution && a.floor == b.floor &&
         a.lower == b.lower && a.upper == b.upper;
}

void expect_same(const StoredProblem& a, const StoredProblem& b) {
  EXPECT_EQ(a.form, b.form);
  EXPECT_TRUE(same_bits(a.dense.reshaped(), b.dense.reshaped()));
  EXPECT_TRUE(same_bits(a.sparse, b.sparse));
  EXPECT_TRUE(same_bits(a.skew, b.skew));
  EXPECT_TRUE(same_bits(a.u, b.u));
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (std::size_t i = 0; i < a.blocks.size(); ++i) EXPECT_TRUE(same_block(a.blocks[i], b.blocks[i])) << "block " << i;
  EXPECT_EQ(a.notes.title, b.notes.title);
  EXPECT_EQ(a.notes.description, b.notes.description);
  EXPECT_EQ(a.notes.math_info, b.notes.math_info);
  EXPECT_EQ(a.notes.directions, b.notes.directions);
  EXPECT_TRUE(same_bits(a.notes.impulse, b.notes.impulse));
  EXPECT_TRUE(same_bits(a.notes.velocity, b.notes.velocity));
  ASSERT_EQ(a.notes.guesses.size(), b.notes.guesses.size());
  for (std::size_t i = 0; i < a.notes.guesses.size(); ++i)
    EXPECT_TRUE(same_bits(a.notes.guesses[i], b.notes.guesses[i]));
}

class FclibTest : public test::FolderTest {};

TEST_F(FclibTest, KeepsEveryBitOfEveryKindOfProblem) {
  for (int seed = 0; seed < count(500, 50); ++seed) {
    SCOPED_TRACE(seed);
    Numbers numbers(static_cast<std::uint64_t>(seed));
    const auto form = seed % 2 == 0 ? ContactOperator::Form::dense : ContactOperator::Form::sparse;
    StoredProblem stored = random_problem(numbers.integer(1, 12), all_kinds, form, numbers);
    const Eigen::Index k = stored.rows();
    ProblemNotes& notes = stored.notes;
    notes.title = "problem " + std::to_string(seed);
    notes.description = seed % 3 == 0 ? "" : "two lines\nand µ";
    notes.math_info = seed % 3 == 1 ? "" : "none known";
    if (numbers.chance(0.5)) notes.directions = numbers.chance(0.5) ? 0 : numbers.integer(3, 16);
    for (int g = numbers.integer(0, 2); g > 0; --g) notes.guesses.push_back(numbers.vector(k));
    if (numbers.chance(0.5)) {
      notes.impulse = numbers.vector(k);
      notes.velocity = numbers.vector(k);
    }
    if (numbers.chance(0.3)) {
      const MatrixXd N = 0.01 * numbers.vector(k * k).reshaped(k, k);
      stored.skew = MatrixXd(0.5 * (N - N.transpose())).sparseView();
    }
    write_problem(path("problem.hdf5"), stored);
    EXPECT_TRUE(is_problem_file(path("problem.hdf5")));
    expect_same(stored, read_problem(path("problem.hdf5")));
  }
}

TEST_F(FclibTest, SolvingWhatPlainReadersSeeSolvesTheProblem) {
  // Blocks that the format can hold: equations, frictionless rows, cones with friction that differs along x and y.
  const std::vector<BlockKind> kinds = {BlockKind::bilateral, BlockKind::unilateral, BlockKind::cone};
  ContactOptions options;
  options.cone = FrictionCone::exact;
  options.exact.tolerance = 1e-10;
  for (int seed = 0; seed < count(300, 30); ++seed) {
    SCOPED_TRACE(seed);
    Numbers numbers(static_cast<std::uint64_t>(seed));
    StoredProblem stored = random_problem(numbers.integer(1, 6), kinds, ContactOperator::Form::dense, numbers);
    for (Block& block : stored.blocks) {
      block.floor = block.restitution = 0;
      block.offset = block.kind == BlockKind::bilateral ? 0 : std::abs(block.offset);
    }
    write_problem(path("whole.hdf5"), stored);
    copy_plain(path("whole.hdf5"), path("plain.hdf5"));
    const StoredProblem plain = read_problem(path("plain.hdf5"));
    VectorXd impulse(plain.rows()), velocity(plain.rows());
    const ContactSolution solution = ContactSolver().solve(plain.problem(), options, {}, impulse, velocity);
    ASSERT_EQ(solution.status, SolveStatus::solved);

    // The plain problem's rows are x, y, normal of each contact, then the equations.
    const FclibRows rows = fclib_rows(stored.blocks);
    VectorXd p = VectorXd::Zero(stored.rows());
    const auto m = static_cast<Eigen::Index>(rows.contact.size());
    for (Eigen::Index i = 0; i < m; ++i) {
      if (rows.contact[i] >= 0) p(rows.contact[i]) = impulse(problem_row(3, i)) * rows.scale[i];
    }
    for (std::size_t e = 0; e < rows.equality.size(); ++e)
      p(rows.equality[e]) = impulse(m + static_cast<Eigen::Index>(e));
    EXPECT_LT(certify(stored.problem(), p, 0).natural_map, 1e-8);
  }
}

TEST_F(FclibTest, SaysWhatPlainReadersDoNotSee) {
  Block block;
  block.kind = BlockKind::cone;
  EXPECT_EQ(unseen_by_fclib({&block, 1}), "");
  block.friction << 0.5, 0.25;
  EXPECT_NE(unseen_by_fclib({&block, 1}).find("unequal friction"), std::string::npos);
  block.kind = BlockKind::ellipsoid;
  EXPECT_NE(unseen_by_fclib({&block, 1}).find("1 frictional torque "), std::string::npos);
  block = Block{};
  block.kind = BlockKind::bounded;
  EXPECT_NE(unseen_by_fclib({&block, 1}).find("bounded"), std::string::npos);
  block = Block{};
  block.floor = 1;
  block.restitution = 0.5;
  EXPECT_NE(unseen_by_fclib({&block, 1}).find("owed"), std::string::npos);
  EXPECT_NE(unseen_by_fclib({&block, 1}).find("restitution"), std::string::npos);
}

/// A mass that falls for a step onto a floor and slides. Its impulse r is (m g h, −μ m g h along the slip), or less if
/// less friction ends the slip.
TEST_F(FclibTest, ReadsContactsWithTheNormalFirst) {
  const double mass = 3, fall = 0.1, slip = 2, mu = 0.5;
  for (int dimension : {2, 3}) {
    SCOPED_TRACE(dimension);
    VectorXd q = VectorXd::Zero(dimension);
    q(0) = -fall;
    q(dimension - 1) = slip;  // along the last tangent
    write_plain(path("mass.hdf5"), MatrixXd::Identity(dimension, dimension) / mass, q, VectorXd::Constant(1, mu),
                dimension);
    const StoredProblem stored = read_problem(path("mass.hdf5"));
    ASSERT_EQ(stored.rows(), 3);
    const Eigen::Index along = dimension == 2 ? 0 : 1;
    EXPECT_EQ(stored.u(2), -fall);
    EXPECT_EQ(stored.u(along), slip);
    VectorXd impulse(3), velocity(3);
    ContactOptions options;
    options.cone = FrictionCone::exact;
    ASSERT_EQ(ContactSolver().solve(stored.problem(), options, {}, impulse, velocity).status, SolveStatus::solved);
    EXPECT_NEAR(impulse(2), mass * fall, 1e-12);
    EXPECT_NEAR(impulse(along), -mu * mass * fall, 1e-9);
    EXPECT_NEAR(velocity(along), slip - mu * fall, 1e-9);
  }
}

/// W by every way to store a matrix.
TEST_F(FclibTest, ReadsEveryKindOfSparseMatrix) {
  Numbers numbers(7);
  MatrixXd M = MatrixXd::Zero(4, 3);
  std::vector<int> rows, columns;
  std::vector<double> values;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 4; ++i) {
      if (numbers.chance(0.4)) continue;
      M(i, j) = numbers.real(-1, 1);
      rows.push_back(i);
      columns.push_back(j);
      values.push_back(M(i, j));
    }
  }
  const int entries = static_cast<int>(values.size());
  ASSERT_TRUE(std::find(rows.begin(), rows.end(), 3) != rows.end());
  const auto check_read = [&](const char* what, int nz, const std::vector<int>& p, const std::vector<int>& i,
                              std::vector<double> x, const MatrixXd& expected) {
    SCOPED_TRACE(what);
    ArrayFile file = ArrayFile::create(path("matrix.hdf5"));
    file.make_group("/M");
    write_fclib_integer(file, "/M/m", 4);
    write_fclib_integer(file, "/M/n", 3);
    write_fclib_integer(file, "/M/nz", nz);
    file.write_integers("/M/p", {static_cast<int>(p.size())}, p.data());
    x.resize(i.size() + 2, std::nan(""));  // room beyond the entries, which nobody reads
    file.write_integers("/M/i", {static_cast<int>(i.size())}, i.data());
    file.write_reals("/M/x", {static_cast<int>(x.size())}, x.data());
    EXPECT_EQ(MatrixXd(read_fclib_matrix(file, "/M", 4, 3, "")), expected);
  };
  check_read("triplets as in CSparse", entries, columns, rows, values, M);
  check_read("triplets as in fclib.h", entries, rows, columns, values, M);

  Eigen::SparseMatrix<double> by_column = M.sparseView();
  by_column.makeCompressed();
  check_read("compressed columns", -1, {by_column.outerIndexPtr(), by_column.outerIndexPtr() + 4},
             {by_column.innerIndexPtr(), by_column.innerIndexPtr() + entries},
             {by_column.valuePtr(), by_column.valuePtr() + entries}, M);
  const Eigen::SparseMatrix<double, Eigen::RowMajor> by_row = by_column;
  check_read("compressed rows", -2, {by_row.outerIndexPtr(), by_row.outerIndexPtr() + 5},
             {by_row.innerIndexPtr(), by_row.innerIndexPtr() + entries},
             {by_row.valuePtr(), by_row.valuePtr() + entries}, M);
  rows.push_back(rows[0]);
  columns.push_back(columns[0]);
  values.push_back(values[0]);
  MatrixXd twice = M;
  twice(rows[0], columns[0]) *= 2;
  check_read("an entry given twice", entries + 1, columns, rows, values, twice);
}

FclibGlobal random_global(Numbers& numbers, Eigen::Index n, Eigen::Index contacts, Eigen::Index equations) {
  FclibGlobal global;
  const Eigen::Index m = 3 * contacts;
  const MatrixXd L = numbers.vector(n * n).reshaped(n, n);
  global.M = MatrixXd(L * L.transpose() + MatrixXd::Identity(n, n)).sparseView();
  global.H = MatrixXd(numbers.vector(n * m).reshaped(n, m)).sparseView();
  global.G = MatrixXd(numbers.vector(n * equations).reshaped(n, equations)).sparseView();
  global.f = numbers.vector(n);
  global.w = numbers.vector(m);
  global.b = numbers.vector(equations);
  global.mu = VectorXd::Constant(contacts, 0.5);
  return global;
}

void write_global(const std::string& path, const FclibGlobal& global) {
  ArrayFile file = ArrayFile::create(path);
  file.make_group("/fclib_global");
  file.make_group("/fclib_global/vectors");
  write_fclib_integer(file, "/fclib_global/spacedim", 3);
  write_fclib_matrix(file, "/fclib_global/M", global.M);
  write_fclib_matrix(file, "/fclib_global/H", global.H);
  write_fclib_vector(file, "/fclib_global/vectors/f", global.f);
  write_fclib_vector(file, "/fclib_global/vectors/w", global.w);
  write_fclib_vector(file, "/fclib_global/vectors/mu", global.mu);
  if (global.b.size() > 0) {
    write_fclib_matrix(file, "/fclib_global/G", global.G);
    write_fclib_vector(file, "/fclib_global/vectors/b", global.b);
  }
  file.finish();
}

/// For any impulses r, λ the velocities of the local form are those of the bodies: M v = H r + G λ + f.
TEST_F(FclibTest, GlobalProblemsMoveTheBodiesThatTheyHold) {
  for (int seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    Numbers numbers(static_cast<std::uint64_t>(seed));
    const Eigen::Index n = 7, contacts = 3, equations = seed % 3, m = 3 * contacts;
    const FclibGlobal global = random_global(numbers, n, contacts, equations);
    write_global(path("global.hdf5"), global);
    const VectorXd r = numbers.vector(m), lambda = numbers.vector(equations);
    const VectorXd v = MatrixXd(global.M).ldlt().solve(global.H * r + global.G * lambda + global.f);
    const VectorXd expected = rows_of(3, global.H.transpose() * v + global.w, global.G.transpose() * v + global.b);

    const StoredProblem read = read_problem(path("global.hdf5"));
    const StoredProblem product = problem_of(global, "none", 4.0);
    EXPECT_EQ(product.form, ContactOperator::Form::product);
    for (const StoredProblem* stored : {&read, &product}) {
      ASSERT_EQ(stored->rows(), m + equations);
      VectorXd velocity(stored->rows());
      stored->A().multiply(rows_of(3, r, lambda), velocity);
      EXPECT_LT((velocity + stored->u - expected).norm(), 1e-12 * expected.norm());
    }
    write_problem(path("local.hdf5"), product);
    const StoredProblem local = read_problem(path("local.hdf5"));
    EXPECT_LT((local.dense - read.dense).norm(), 1e-12 * read.dense.norm());
  }
}

/// A problem file with everything in it, one part of which a test replaces.
struct Parts {
  std::vector<int> p = {0, 1, 2, 3}, i = {0, 1, 2}, nz = {-2}, m = {3}, n = {3}, spacedim = {3};
  std::vector<double> x = {1, 1, 1}, q = {-1, 0, 0}, mu = {0.5};
  std::string group = "/fclib_local", leave_out;

  void write(const std::string& path) const {
    ArrayFile file = ArrayFile::create(path);
    for (const char* name : {"", "/W", "/vectors"}) file.make_group(group + name);
    const auto integers = [&](const std::string& name, const std::vector<int>& values) {
      if (name != leave_out) file.write_integers(group + name, {static_cast<int>(values.size())}, values.data());
    };
    const auto reals = [&](const std::string& name, const std::vector<double>& values) {
      if (name != leave_out) file.write_reals(group + name, {static_cast<int>(values.size())}, values.data());
    };
    integers("/spacedim", spacedim);
    integers("/W/m", m);
    integers("/W/n", n);
    integers("/W/nz", nz);
    integers("/W/p", p);
    integers("/W/i", i);
    reals("/W/x", x);
    reals("/vectors/q", q);
    reals("/vectors/mu", mu);
    file.finish();
  }
};

/// Sentence on reading the file; empty if it is read.
std::string complaint(const std::string& path) {
  try {
    read_problem(path);
    return "";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    return error.what();
  }
}

TEST_F(FclibTest, RefusesMalformedFilesWithASentence) {
  const std::string file = path("bad.hdf5");
  Parts().write(file);
  ASSERT_EQ(complaint(file), "");
  struct Case {
    std::function<void(Parts&)> spoil;
    const char* part;
  };
  const double nan = std::nan("");
  const Case cases[] = {
      {[](Parts& f) { f.group = "/something"; }, "neither a group /fclib_local nor /fclib_global"},
      {[](Parts& f) { f.leave_out = "/W/x"; }, "no dataset /fclib_local/W/x"},
      {[](Parts& f) { f.leave_out = "/vectors/q"; }, "no dataset /fclib_local/vectors/q"},
      {[](Parts& f) { f.leave_out = "/vectors/mu"; }, "no dataset /fclib_local/vectors/mu"},
      {[](Parts& f) { f.leave_out = "/spacedim"; }, "no dataset /fclib_local/spacedim"},
      {[](Parts& f) { f.spacedim = {4}; }, "must be 2 or 3"},
      {[](Parts& f) { f.m = {4}; }, "4 x 3, but q has 3 entries; it must be 3 x 3"},
      {[](Parts& f) {
         f.m = {3, 3};
       },
       "must be one integer"},
      {[](Parts& f) {
         f.q = {1, 2};
       },
       "no whole contacts"},
      {[](Parts& f) {
         f.mu = {0.5, 0.5};
       },
       "mu has 2 entries"},
      {[](Parts& f) { f.mu = {-0.5}; }, "friction must be zero or positive"},
      {[](Parts& f) { f.nz = {-3}; }, "nz = -3"},
      {[](Parts& f) { f.nz = {7}; }, "announces 7 triplets"},
      {[](Parts& f) {
         f.p = {0, 1, 2};
       },
       "one more than rows"},
      {[](Parts& f) {
         f.p = {0, 2, 1, 3};
       },
       "fall"},
      {[](Parts& f) {
         f.p = {0, 1, 2, 5};
       },
       "announces 5 entries"},
      {[](Parts& f) {
         f.i = {0, 1, 3};
       },
       "index i outside"},
      {[](Parts& f) {
         f.i = {0, -1, 2};
       },
       "index i outside"},
      {[](Parts& f) {
         f.nz = {3};
         f.p = {0, 1, 9};
       },
       "triplet outside"},
      {[nan](Parts& f) { f.x[1] = nan; }, "x[1], that is not finite"},
      {[nan](Parts& f) { f.q[2] = nan; }, "entry 2 of /fclib_local/vectors/q is not a finite"},
      {[nan](Parts& f) { f.mu[0] = nan; }, "entry 0 of /fclib_local/vectors/mu"},
      {[](Parts& f) {
         f.i = {1, 1, 2};
       },
       "W is not symmetric"},
  };
  for (const Case& one : cases) {
    Parts parts;
    one.spoil(parts);
    parts.write(file);
    const std::string said = complaint(file);
    EXPECT_NE(said.find(one.part), std::string::npos) << "said: " << said << "\nexpected: " << one.part;
  }
  EXPECT_NE(complaint(path("missing.hdf5")).find("no such file"), std::string::npos);
  EXPECT_NE(complaint(path("")).find("no ordinary file"), std::string::npos);
  std::ofstream(path("text.hdf5")) << "q = [1, 2, 3]\n";
  EXPECT_NE(complaint(path("text.hdf5")).find("no HDF5 file"), std::string::npos);
}

/// Two contacts and perhaps an equation, with a solution and two guesses.
StoredProblem solved_and_guessed(bool equation) {
  Numbers numbers(21);
  StoredProblem stored;
  stored.blocks.resize(equation ? 3 : 2);
  for (std::size_t b = 0; b < stored.blocks.size(); ++b) {
    Block& block = stored.blocks[b];
    block.kind = b < 2 ? BlockKind::cone : BlockKind::bilateral;
    block.row = 3 * static_cast<int>(b);
    if (b < 2) block.friction.setConstant(0.5);
  }
  const Eigen::Index k = equation ? 7 : 6;
  stored.dense = MatrixXd::Identity(k, k);
  stored.u = numbers.vector(k);
  stored.notes.impulse = numbers.vector(k);
  stored.notes.guesses = {numbers.vector(k), numbers.vector(k)};
  return stored;
}

/// A solution or a guess that another program filled in part is none, and no reason not to read the problem.
TEST_F(FclibTest, PassesOverSolutionsAndGuessesThatAreNotWhole) {
  struct Case {
    const char* left_out;
    int lost;  ///< 0 the solution, 1 or 2 a guess, 3 both guesses, −1 nothing
    const char* told;
    bool of_equations = false;  ///< lost only where there are equations
  };
  const Case cases[] = {{"", -1, ""},
                        {"/solution", 0, ""},
                        {"/solution/r", 0, "/solution lacks r"},
                        {"/solution/u", 0, "/solution lacks u"},
                        {"/solution/l", 0, "/solution lacks l", true},
                        {"/guesses/number_of_guesses", 3, ""},
                        {"/guesses/1/r", 1, "/guesses/1 lacks r"},
                        {"/guesses/1/u", -1, ""},
                        {"/guesses/1/l", 1, "/guesses/1 lacks l", true},
                        {"/guesses/2/l", 2, "/guesses/2 lacks l", true},
                        {"/guesses/2", 2, "there is no /guesses/2"}};
  for (bool equation : {false, true}) {
    const StoredProblem stored = solved_and_guessed(equation);
    write_problem(path("whole.hdf5"), stored);
    for (const Case& one : cases) {
      SCOPED_TRACE(std::string(one.left_out) + (equation ? " with an equation" : ""));
      const int lost = one.of_equations && !equation ? -1 : one.lost;
      const std::string told = lost < 0 ? "" : one.told;
      std::vector<VectorXd> guesses;
      for (int g : {1, 2}) {
        if (lost != g && lost != 3) guesses.push_back(stored.notes.guesses[static_cast<std::size_t>(g - 1)]);
      }
      copy_plain(path("whole.hdf5"), path("part.hdf5"), one.left_out);
      const ProblemNotes read = read_problem(path("part.hdf5")).notes;
      EXPECT_TRUE(same_bits(read.impulse, lost == 0 ? VectorXd() : stored.notes.impulse));
      EXPECT_EQ(read.velocity.size(), lost == 0 ? 0 : stored.rows());
      ASSERT_EQ(read.guesses.size(), guesses.size());
      for (std::size_t g = 0; g < guesses.size(); ++g) EXPECT_TRUE(same_bits(read.guesses[g], guesses[g]));
      ASSERT_EQ(read.passed_over.size(), told.empty() ? 0U : 1U);
      if (told.empty()) continue;
      EXPECT_NE(read.passed_over[0].find(told), std::string::npos) << read.passed_over[0];
    }
  }
}

TEST_F(FclibTest, RefusesGlobalProblemsWithoutAMass) {
  Numbers numbers(3);
  FclibGlobal global = random_global(numbers, 5, 2, 1);
  const FclibGlobal good = global;
  global.M.coeffRef(2, 2) = -1;
  write_global(path("global.hdf5"), global);
  EXPECT_NE(complaint(path("global.hdf5")).find("not positive definite"), std::string::npos);
  global = good;
  global.M.coeffRef(2, 1) += 1;
  write_global(path("global.hdf5"), global);
  EXPECT_NE(complaint(path("global.hdf5")).find("M is not symmetric"), std::string::npos);
  global = good;
  global.H.conservativeResize(5, 5);
  write_global(path("global.hdf5"), global);
  EXPECT_NE(complaint(path("global.hdf5")).find("it must be 5 x 6"), std::string::npos);
}

TEST_F(FclibTest, RefusesAGroupOfItsOwnThatTellsAnotherProblem) {
  Numbers numbers(11);
  StoredProblem stored = random_problem(4, all_kinds, ContactOperator::Form::dense, numbers);
  write_problem(path("a.hdf5"), stored);
  // One bit of q, as an editor of the plain part would change it.
  std::string bytes;
  {
    std::ifstream in(path("a.hdf5"), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  const double q = local_of(stored, fclib_rows(stored.blocks)).q(0);
  const std::string pattern(reinterpret_cast<const char*>(&q), sizeof q);
  const std::size_t place = bytes.find(pattern);
  ASSERT_NE(place, std::string::npos);
  const double other = std::nextafter(q, 10.0);
  std::memcpy(bytes.data() + place, &other, sizeof other);
  std::ofstream(path("b.hdf5"), std::ios::binary) << bytes;
  const std::string said = complaint(path("b.hdf5"));
  EXPECT_NE(said.find("not the same problem"), std::string::npos) << said;
}

/// A file that breaks off anywhere is refused, never read halfway.
TEST_F(FclibTest, RefusesTruncatedFiles) {
  Numbers numbers(5);
  write_problem(path("whole.hdf5"), random_problem(3, all_kinds, ContactOperator::Form::dense, numbers));
  std::string bytes;
  {
    std::ifstream in(path("whole.hdf5"), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  const std::size_t steps = static_cast<std::size_t>(count(2000, 100));
  for (std::size_t step = 0; step < steps; ++step) {
    std::ofstream(path("part.hdf5"), std::ios::binary) << bytes.substr(0, bytes.size() * step / steps);
    EXPECT_NE(complaint(path("part.hdf5")), "") << "cut to " << bytes.size() * step / steps << " bytes";
  }
}

TEST_F(FclibTest, WritesNothingThatIsNoProblem) {
  Numbers numbers(2);
  const StoredProblem good = random_problem(3, all_kinds, ContactOperator::Form::dense, numbers);
  StoredProblem bad = good;
  bad.u(0) = std::nan("");
  EXPECT_THROW(write_problem(path("bad.hdf5"), bad), Error);
  bad = good;
  bad.notes.impulse = VectorXd::Zero(good.rows() + 1);
  EXPECT_THROW(write_problem(path("bad.hdf5"), bad), Error);
  bad = good;
  bad.blocks.pop_back();
  EXPECT_THROW(write_problem(path("bad.hdf5"), bad), Error);
  EXPECT_THROW(write_problem(path("missing/folder.hdf5"), good), Error);
  EXPECT_THROW(check_problem_place(path("missing/folder.hdf5")), Error);
  EXPECT_NO_THROW(check_problem_place(path("bad.hdf5")));
  EXPECT_FALSE(fs::exists(path("bad.hdf5")));
  EXPECT_FALSE(fs::exists(path("bad.hdf5.part")));
}

}  // namespace
}  // namespace carom::fclib_test
