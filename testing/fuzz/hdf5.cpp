// Sound HDF5 files whose content lies: records of runs, problem files, with and without Carom's own group, and measured
// tosses. Damage to the file itself is for the HDF5 library to bear; hdf5_bytes.cpp looks at that.

#include <hdf5.h>

#include <array>
#include <functional>

#include "carom/record/fclib.h"
#include "carom/record/record.h"
#include "carom/stepper/simulation.h"
#include "carom/validation/toss_file.h"
#include "testing/fuzz/fuzz_target.h"
#include "testing/fuzz/hdf5_edits.h"

namespace carom::fuzz {
namespace {

constexpr const char* scene_text = R"(carom: 1
gravity: [0, 0, -9.81]
materials:
  - {name: wood, friction: 0.4}
world:
  shapes: [{type: half-space, name: floor, material: wood}]
bodies:
  - {name: ball, density: 500, position: [0, 0, 0.1], shapes: [{type: sphere, radius: 0.1, material: wood}]}
  - {name: arm, density: 700, shapes: [{type: sphere, radius: 0.1, material: wood}]}
joints:
  - {name: hinge, type: revolute, child: arm, parent: world, axis: [0, 1, 0], on_parent: {position: [1, 0, 2]}}
method: {stepper: stewart-trinkle, step: 0.01}
duration: 0.1
)";

void record_steps(const Scene& scene, const std::string& path) {
  RecordWriter writer = RecordWriter::create(path, scene);
  Simulation simulation(scene.model, scene.method, scene.initial);
  for (int k = 0; k < 4; ++k) {
    const StepReport& report = simulation.step();
    writer.append(simulation.state(), report);
  }
  writer.finish("done", 0);
}

/// A ball that rests on a floor, beside a hinged arm.
void make_record(const std::string& path) { record_steps(parse_scene(scene_text, "fuzz.yaml"), path); }

/// The same ball strikes the floor; what law plus did is recorded too.
void make_record_of_impact(const std::string& path) {
  Scene scene = parse_scene(scene_text, "fuzz.yaml");
  scene.method.stepper = StepperKind::semi_explicit;
  scene.method.law = LawKind::plus;
  scene.initial.v.setConstant(-1);
  scene.record.traces = true;
  record_steps(scene, path);
}

/// Two contacts and an equation, with a solution and a guess.
void make_problem(const std::string& path) {
  StoredProblem stored;
  stored.dense = 2 * Eigen::MatrixXd::Identity(7, 7) + Eigen::MatrixXd::Constant(7, 7, 0.1);
  stored.u = Eigen::VectorXd::Constant(7, -1);
  for (const int row : {0, 3, 6}) {
    Block block;
    block.kind = row < 6 ? BlockKind::cone : BlockKind::bilateral;
    block.row = row;
    if (row < 6) block.friction.setConstant(0.5);
    stored.blocks.push_back(block);
  }
  stored.notes.impulse = Eigen::VectorXd::Constant(7, 0.25);
  stored.notes.guesses.push_back(stored.notes.impulse);
  write_problem(path, stored);
}

/// The same as other programs write it.
void make_plain_problem(const std::string& path) {
  make_problem(path);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "/carom", H5P_DEFAULT);
  H5Fclose(file);
}

void write_dataset(hid_t file, const char* name, const std::vector<hsize_t>& extent, hid_t type, const void* values) {
  const hid_t space = H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
  const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(dataset);
  H5Sclose(space);
}

/// Two tosses of three frames and one.
void make_tosses(const std::string& path) {
  std::array<double, 4 * 13> state{};
  for (std::size_t frame = 0; frame < 4; ++frame) state.at(13 * frame + 3) = 1;
  const std::array<std::int64_t, 3> offsets = {0, 3, 4};
  const std::array<std::int64_t, 2> numbers = {7, 8};
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  write_dataset(file, "/state", {4, 13}, H5T_NATIVE_DOUBLE, state.data());
  write_dataset(file, "/offsets", {3}, H5T_NATIVE_INT64, offsets.data());
  write_dataset(file, "/toss_id", {2}, H5T_NATIVE_INT64, numbers.data());
  H5Fclose(file);
}

struct Kind {
  void (*make)(const std::string& path);
  void (*read)(const std::string& path);
};
constexpr std::array kinds = {
    Kind{make_record, [](const std::string& path) { static_cast<void>(read_record(path)); }},
    Kind{make_record_of_impact, [](const std::string& path) { static_cast<void>(read_record(path)); }},
    Kind{make_problem, [](const std::string& path) { static_cast<void>(read_problem(path)); }},
    Kind{make_plain_problem, [](const std::string& path) { static_cast<void>(read_problem(path)); }},
    Kind{make_tosses, [](const std::string& path) { static_cast<void>(read_tosses(path)); }}};

std::vector<Hdf5Base> make_bases(const std::string& path) {
  std::vector<Hdf5Base> bases;
  for (const Kind& kind : kinds) {
    std::filesystem::remove(path);
    kind.make(path);
    bases.push_back(hdf5_base(path));
  }
  return bases;
}

}  // namespace
}  // namespace carom::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace carom::fuzz;
  static const TemporaryPath path(".h5");
  static const std::vector<Hdf5Base> bases = make_bases(path.name());
  FuzzedDataProvider input(data, size);
  const auto k = input.ConsumeIntegralInRange<std::size_t>(0, kinds.size() - 1);
  write_edited(bases[k], path.name(), input);
  return read_or_refuse([&] { kinds.at(k).read(path.name()); });
}
