"""Records made from Python: their columns, their certificate, models built in code, and what a page shows."""

import csv
import pathlib
import pickle

import carom
import h5py
import numpy as np
import pytest
from conftest import box_on_ground, pendulum, relative


def test_a_run_is_the_run_of_the_command(scenes, tmp_path):
    run = carom.run(scenes / "stewart2000" / "four_balls.yaml", tmp_path / "balls.h5", duration=0.3)
    with h5py.File(run.path) as file:
        time, names = file["time"][:], [name.decode() for name in file["scene/bodies"]]
        positions = file["bodies/position"][:]
    assert np.array_equal(time, run.time)
    assert np.array_equal(positions[:, names.index("thrown")], run.vector("thrown.position"))
    assert run.unit("thrown.position.x") == "m"
    assert run.summary["end"] == "done" and run.summary["steps"] == len(run.time) - 1
    assert run.certificate["momentum_residual"] < 1e-9
    with pytest.raises(carom.UnknownName, match="near it are thrown.position"):
        run["thrown.positon.x"]
    with pytest.raises(carom.UnknownName, match=r"run\.vector\('thrown.position'\)"):
        run["thrown.position"]


def test_weight_is_the_ground_reaction_of_a_box_at_rest(tmp_path):
    model, state = box_on_ground(mass=2.0)
    scene = carom.built_scene("box", model, carom.Method(step=1e-3, cone="exact"), state, 0.2)
    run = carom.run(scene, tmp_path / "box.h5")
    force = run.vector("box.force")[1:]
    assert relative(force, np.tile([0, 0, 2.0 * 9.81], (len(force), 1))) < 1e-9
    assert np.allclose(run.vector("ground.force")[1:], -force)


def test_a_simulation_is_recorded_with_its_controller(tmp_path):
    model = pendulum(length=0.7, mass=1.3)
    state = carom.state_at_rest(model)
    state.q[0] = 0.4
    scene = carom.built_scene("pendulum", model, carom.Method(step=1e-3), state, 1)
    simulation = scene.simulation()
    hold = 1.3 * 9.81 * 0.7 * np.sin(0.4)
    simulation.tau[0] = hold
    with carom.Recording(str(tmp_path / "held.h5"), scene) as recording:
        for _ in range(50):
            simulation.step()
            recording.append(simulation)
    run = carom.open(tmp_path / "held.h5")
    assert np.allclose(run["hinge.torque.controller"][1:], hold)
    assert np.allclose(run["hinge"], 0.4, atol=1e-9)
    assert run.summary["end"] == "done"


def test_tables_hold_the_columns(scenes, tmp_path):
    run = carom.run(scenes / "bouncing_ball.yaml", tmp_path / "ball.h5", duration=0.2)
    run.to_csv(tmp_path / "ball.csv", ["*.position.z"])
    with open(tmp_path / "ball.csv", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0][0] == "time" and len(rows) == len(run.time) + 1
    name = rows[0][1]
    assert np.array_equal([float(row[1]) for row in rows[1:]], run[name])
    run.to_sto(tmp_path / "ball.sto")
    assert "endheader" in pathlib.Path(tmp_path / "ball.sto").read_text()


def test_a_notebook_shows_the_player(scenes, tmp_path):
    run = carom.run(scenes / "bouncing_ball.yaml", tmp_path / "ball.h5", duration=0.1)
    shown = run._repr_html_()
    assert shown.startswith("<iframe") and "&lt;canvas" in shown or "&lt;script" in shown


def test_what_is_no_record_is_told(tmp_path):
    (tmp_path / "x.h5").write_text("no record")
    with pytest.raises(carom.Error):
        carom.open(tmp_path / "x.h5")
    with pytest.raises(TypeError):
        model, state = box_on_ground()
        carom.run(carom.built_scene("b", model, carom.Method(), state, 1), tmp_path / "b.h5", step=0.1)


def test_names_that_there_are_not_are_told_with_those_near_them(tmp_path):
    model, state = box_on_ground()
    run = carom.run(carom.built_scene("box", model, carom.Method(step=1e-3), state, 0.01), tmp_path / "box.h5")
    for ask in (run.unit, run.meaning, lambda name: run[name], lambda name: run.values(["time", name]),
                lambda name: run.vector(name.removesuffix(".x"))):
        with pytest.raises(KeyError) as caught:
            ask("box.positon.x")
        assert isinstance(caught.value, carom.Error)
        assert str(caught.value).startswith("there is no column 'box.positon.x'; near it are box.position.x")
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(KeyError, match="there is no column 'nosuch', nor one near it"):
        run["nosuch"]
    with pytest.raises(carom.Error, match="contacts are between two bodies; 'box' and 'box' are of one"):
        run.contact_force("box", "box")
