#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "carom/record/record.h"
#include "carom/record/record_columns.h"
#include "carom/record/test/test_folder.h"
#include "carom/stepper/simulation.h"

namespace carom::test {

/// The columns of a record by name.
class Columns {
 public:
  explicit Columns(const std::string& path, const std::vector<std::string>& patterns = {}) {
    for (RecordColumn& column : read_record_columns(path, patterns)) {
      columns_.emplace(column.name, std::move(column.values));
    }
  }
  const std::vector<double>& operator[](const std::string& name) const { return columns_.at(name); }
  double at(const std::string& name, std::size_t frame) const { return columns_.at(name).at(frame); }
  Vec3 vector(const std::string& name, std::size_t frame) const {
    return Vec3(at(name + ".x", frame), at(name + ".y", frame), at(name + ".z", frame));
  }
  std::size_t frames() const { return columns_.at("time").size(); }
  bool has(const std::string& name) const { return columns_.count(name) > 0; }
  double total(const std::string& name) const {
    double sum = 0;
    for (const double value : columns_.at(name)) sum += value;
    return sum;
  }

 private:
  std::map<std::string, std::vector<double>> columns_;
};

/// A test that runs scenes into records.
class RunTest : public FolderTest {
 protected:
  void simulate(const std::string& text, const std::string& file, const Controller& controller = {},
                const std::function<void(Simulation&)>& prepare = {}) {
    const Scene scene = parse_scene(text, file + ".yaml");
    RecordWriter writer = RecordWriter::create(path(file), scene);
    Simulation simulation(scene.model, scene.method, scene.initial);
    simulation.set_controller(controller);
    if (prepare) prepare(simulation);
    for (std::int64_t i = 0; i < scene.steps(); ++i) {
      const StepReport& report = simulation.step();
      writer.append(simulation.state(), report);
    }
    writer.finish("done", 0);
  }
};

}  // namespace carom::test
