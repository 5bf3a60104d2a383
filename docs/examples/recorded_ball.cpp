// A model that this program builds is recorded, and a second run goes on from the record. Is it the run that never
// stopped?
#include <carom/carom.h>
#include <carom/record/record.h>

#include <iostream>

namespace {

carom::Scene thrown_ball() {
  carom::ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  const int rubber = builder.add_material({.name = "rubber", .friction = {0.5, 0.5}, .restitution = 0.8});
  const double radius = 0.1;
  const int ball = builder.add_body("ball", carom::shape_inertia(carom::Sphere{radius}, 500));
  builder.add_collider({.name = "skin", .body = ball, .shape = carom::Sphere{radius}, .material = rubber});
  builder.add_collider({.name = "floor", .shape = carom::HalfSpace{}, .material = rubber});
  const auto model = std::make_shared<const carom::Model>(builder.build());
  carom::State state = carom::state_at_rest(*model);
  carom::set_pose(*model, ball, {.R = carom::Mat3::Identity(), .p = {0, 0, 1}}, state);
  carom::set_velocity(*model, ball, {0, 20, 0}, {1, 0, 0}, state);
  carom::Method method;
  method.stepper = carom::StepperKind::semi_explicit;
  method.law = carom::LawKind::plus;
  method.step = 1e-3;
  return carom::built_scene("a thrown ball", model, method, state, 1.0);
}

/// Steps until a time, each into the record.
void record_until(double time, carom::Simulation& simulation, carom::RecordWriter& writer) {
  simulation.run_until(time, [&](const carom::StepReport& report) { writer.append(simulation.state(), report); });
  writer.finish("done", 0);
}

}  // namespace

int main() {
  const std::string path = "thrown_ball.h5";
  const carom::Scene scene = thrown_ball();
  {
    carom::Simulation simulation(scene.model, scene.method, scene.initial);
    carom::RecordWriter writer = carom::RecordWriter::create(path, scene);
    record_until(0.5, simulation, writer);
  }
  {  // Another program need not know how the model was built.
    const carom::Record record = carom::read_record(path);
    carom::Simulation simulation(record.scene.model, record.scene.method, record.frames.back().state);
    carom::RecordWriter writer = carom::RecordWriter::resume(path, record.scene);
    record_until(1.0, simulation, writer);
  }
  carom::Simulation unstopped(scene.model, scene.method, scene.initial);
  unstopped.run_until(1.0);

  const carom::Record record = carom::read_record(path);
  const bool same = carom::identical(record.frames.back().state, unstopped.state());
  std::cout << record.frames.size() << " frames, " << record.impacts.size() << " impacts; "
            << (same ? "the same to the last bit" : "not the run that never stopped") << "\nplay it with: carom view "
            << path << "\n";
  return same && !record.impacts.empty() ? 0 : 1;
}
