"""Studies as functions: the same results as the commands, and physics."""

import csv
import json
import pathlib
import pickle
import re
import shutil
import signal
import subprocess
import sys

import carom
import numpy as np
import pytest
from conftest import box_on_ground

SLIDE = ("sliding_box.yaml", ["stewart-trinkle", "semi-explicit/plus"])


@pytest.fixture(scope="module")
def slide():
    root = pathlib.Path(__file__).resolve().parents[2]
    return carom.compare(root / "scenes" / SLIDE[0], SLIDE[1], duration=0.5, budget=2)


def test_a_comparison_has_the_distances_of_its_motions(slide):
    assert slide.methods == SLIDE[1] and slide.words and "methods" in slide.table()
    assert slide.distance.shape == (2, 2, len(slide.times))
    assert np.array_equal(slide.distance, slide.distance.swapaxes(0, 1)) and not slide.distance[0, 0].any()
    # One box that slides without turning: the distance is that of its places.
    first, second = slide["stewart-trinkle"], slide.runs[1]
    assert slide.distance[0, 1] == pytest.approx(np.linalg.norm(first.position[:, 0] - second.position[:, 0], axis=1), abs=1e-12)
    assert slide.largest_distance[0, 1] == slide.distance[0, 1].max()
    # Coulomb: it brakes at μ g.
    travelled = first.position[-1, 0, 0] - first.position[0, 0, 0]
    assert travelled == pytest.approx(2 * 0.5 - 0.5 * 0.3 * 9.81 * 0.5**2, abs=2e-3)
    assert first.certificate.ok and first.settled and first.record == ""
    with pytest.raises(KeyError, match="stewart-trinkle"):
        slide["newton"]


def test_a_comparison_shows_itself_and_is_kept(slide, tmp_path):
    shown = slide._repr_html_()
    assert shown.startswith("<iframe") and "&lt;!doctype html" in shown and "semi-explicit/plus" in shown
    slide.to_csv(tmp_path / "apart.csv")
    with open(tmp_path / "apart.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    other = next(method for method in slide.methods if method != slide.reference)
    assert [float(row[other]) for row in rows] == slide.distance[0, 1].tolist()
    again = pickle.loads(pickle.dumps(slide.runs[0].times))
    assert np.array_equal(again, slide.runs[0].times)


def test_records_of_a_comparison_are_kept_where_asked(scenes, tmp_path):
    comparison = carom.compare(scenes / "bouncing_ball.yaml", ["semi-explicit/newton"], duration=0.1, records=tmp_path / "new" / "runs")
    run = carom.open(comparison.runs[0].record)
    assert run.summary["end"] == "done" and "nothing to compare" in comparison.words


def test_scenes_built_in_code_are_compared():
    model, state = box_on_ground()
    state.v[3] = 1.0
    scene = carom.built_scene("box", model, carom.Method(step=1e-3), state, 0.1)
    comparison = carom.compare(scene, ["stewart-trinkle", "semi-explicit/plastic"])
    assert comparison.scene == "box" and len(comparison.runs) == 2
    with pytest.raises(carom.Error, match="for the path of a scene"):
        carom.compare(scene, parameters={"a": 1})


def test_records_are_compared_as_their_scenes(tmp_path):
    model, state = box_on_ground()
    state.v[3] = 1.0
    scene = carom.built_scene("box", model, carom.Method(step=1e-3), state, 0.1)
    run = carom.run(scene, tmp_path / "box.h5")
    from_record = carom.converge(run.path, steps=[0.002, 0.001])
    assert np.array_equal(from_record.methods[0].change, carom.converge(scene, steps=[0.002, 0.001]).methods[0].change, equal_nan=True)


def test_faults_of_studies_name_keywords(scenes):
    with pytest.raises(carom.Error, match="tolerance: it must be above 0"):
        carom.compare(scenes / "sliding_box.yaml", tolerance=-1)
    with pytest.raises(carom.Error, match="stewart-trinkle") as caught:
        carom.compare(scenes / "sliding_box.yaml", "stewart-trinkel")
    with pytest.raises(carom.Error, match="^steps 0.3: ") as caught:
        carom.converge(scenes / "sliding_box.yaml", steps=[0.3, 0.1])
    assert "--" not in str(caught.value)
    with pytest.raises(carom.Error, match="^accuracies 0.5: "):
        carom.converge(scenes / "sliding_box.yaml", accuracies=[0.5])
    with pytest.raises(TypeError, match="step: right is a number, and it is 'fast'"):
        carom.converge(scenes / "sliding_box.yaml", step="fast")


def test_steps_converge_at_first_order(scenes):
    found = carom.converge(scenes / "sliding_box.yaml", "stewart-trinkle", steps=[0.02, 0.01, 0.005, 0.0025], duration=0.5)
    method = found["stewart-trinkle"]
    assert np.array_equal(method.step, [0.02, 0.01, 0.005, 0.0025])
    assert method.order == pytest.approx(1, abs=0.1) and "order" in found.words and found.table()
    assert np.isnan(method.change[-1]) and np.all(np.diff(method.error) < 0)
    assert method.error[:-1] / method.error[1:] == pytest.approx([2, 2, 2], rel=0.1)
    assert method.accuracy.tolist() == [1e-2, 1e-3, 1e-4] and np.all(np.diff(method.accuracy_trials) > 0)
    assert np.all(np.diff(method.accuracy_error) < 0) and not carom.converge(
        scenes / "sliding_box.yaml", steps=[0.02, 0.01], accuracies=[], duration=0.1).methods[0].accuracy.size


def test_convergence_as_a_table(scenes, tmp_path):
    found = carom.converge(scenes / "sliding_box.yaml", steps=[0.02, 0.01], duration=0.1)
    found.to_csv(tmp_path / "steps.csv")
    with open(tmp_path / "steps.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["step"]) for row in rows] == [0.02, 0.01]
    assert float(rows[0]["change"]) == found.methods[0].change[0]


def test_an_impact_of_a_ball_is_newtons(scenes):
    study = carom.impact(scenes / "bouncing_ball.yaml", laws=["newton", "plastic"], blend=0.5)
    newton, plastic = study["newton"], study["plastic"]
    assert study.strikes.tolist() == [True] and study.normals[0] == pytest.approx([0, 0, 1])
    assert not study.at_start and study.time > 0
    ratio = -newton.after[0, 2] / newton.before[0, 2]
    M = carom.mass_matrix(carom.load(scenes / "bouncing_ball.yaml").model, study.q)
    assert 0.1 < ratio < 1 and newton.energy_ratio == pytest.approx((newton.v @ M @ newton.v) / (study.v @ M @ study.v))
    assert plastic.after[0, 2] == pytest.approx(0, abs=1e-9)
    assert newton.impulse[0, 2] / plastic.impulse[0, 2] == pytest.approx(1 + ratio)
    # Without friction and loss the one outcome is the mirrored velocity.
    assert study.outcomes.shape == (1, 6)
    assert study.outcomes[0] @ M @ study.outcomes[0] == pytest.approx(study.v @ M @ study.v)
    assert study._repr_html_().startswith("<iframe") and study.words and study.table()


def test_where_nothing_strikes_there_is_no_impact(scenes):
    with pytest.raises(carom.Error, match="no impact at the start.*at first"):
        carom.impact(scenes / "bouncing_ball.yaml", "start")
    with pytest.raises(carom.Error, match="budget 0"):
        carom.impact(scenes / "bouncing_ball.yaml", budget=0)
    with pytest.raises(carom.Error, match="says nothing of an impact"):
        carom.impact(scenes / "bouncing_ball.yaml", laws="none")


def test_a_design_meets_its_conditions(scenes, tmp_path):
    shutil.copytree(scenes, tmp_path / "scenes")
    found = carom.design(tmp_path / "scenes" / "studies" / "two_feet.yaml")
    assert found.met and found.words and found.table()
    assert all(condition.miss < 1e-11 for condition in found.conditions)
    changed = [u for u in found.unknowns.values() if u.before != u.after]
    assert changed and sum(u.share for u in found.unknowns.values()) == pytest.approx(1)
    place = pathlib.Path(found.scene).parent / "designed.yaml"
    found.write(place)
    assert carom.load(place).text == found.scene_text
    with pytest.raises(carom.Error, match="must end in .yaml"):
        found.write(tmp_path / "scene.txt")
    with pytest.raises(carom.Error, match="begins with"):
        found.write(found.scene)


def test_sweeps_are_those_of_the_command(scenes, tmp_path):
    study = tmp_path / "study.yaml"
    study.write_text(f"scene: {scenes / 'cube_toss.yaml'}\nruns: 3\nseed: 4\nvary:\n"
                     "  friction: {at: materials/plastic/friction, values: [0.1, 0.25]}\n"
                     "  speed: {at: bodies/cube/velocity/0, normal: [0.9, 0.1]}\n"
                     "  until: {at: duration, values: [0.2]}\noutputs: {end: cube.position}\n")
    from_file = carom.sweep(study, threads=1)
    from_code = carom.sweep(scenes / "cube_toss.yaml",
                            {"friction": {"at": "materials/plastic/friction", "values": np.array([0.1, 0.25])},
                             "speed": {"at": "bodies/cube/velocity/0", "normal": [0.9, 0.1]},
                             "until": {"at": "duration", "values": [0.2]}},
                            outputs={"end": "cube.position"}, runs=3, seed=4, threads=2)
    assert from_file.csv == from_code.csv and len(from_code) == 6
    assert from_code["end"].shape == (6, 3) and set(from_code["friction"]) == {0.1, 0.25}
    assert set(from_code.status) == {"done"} and from_code.ok.dtype == bool and "6 cases" in from_code.words
    frictions, speeds, ends = from_code.grid("friction", "speed", "end.x")
    assert ends.shape == (2, 3) and np.all(np.diff(speeds) > 0) and not np.isnan(ends).any()
    i, j = list(frictions).index(from_code["friction"][4]), list(speeds).index(from_code["speed"][4])
    assert ends[i, j] == from_code["end.x"][4]
    from_code.to_csv(tmp_path / "map.csv")
    with open(tmp_path / "map.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["end.x"]) for row in rows] == from_code["end.x"].tolist()
    with pytest.raises(KeyError, match="^there is no column 'fiction'; near it are friction, "):
        from_code["fiction"]


def test_a_sweep_shows_maps_and_the_runs_that_need_a_look(scenes, tmp_path):
    def content_of(sweep):
        sweep.page(tmp_path / "sweep.html")
        page = (tmp_path / "sweep.html").read_text()
        content = json.loads(re.search(r'<script type="application/json" id="run">(.*?)</script>', page, re.S).group(1))
        return content, [int(re.search(r"case (\d+)", run["name"]).group(1)) for run in content["runs"]]

    vary = {"friction": {"at": "materials/wood/friction", "values": [0.1, 0.3]},
            "speed": {"at": "bodies/box/velocity/0", "values": [0.5, 0.7, 0.9]}, "until": {"at": "duration", "values": [0.1]}}
    found = carom.sweep(scenes / "sliding_box.yaml", vary, outputs={"end": "box.position.x"})
    content, played = content_of(found)
    maps = [table for section in content["below"] for table in section.get("tables", []) if table.get("heat")]
    assert len(maps) == 1 and maps[0]["columns"][1:] == ["0.5", "0.7", "0.9"]
    cells = np.array([[float(cell) for cell in row[1:]] for row in maps[0]["rows"]])
    assert cells == pytest.approx(found.grid("friction", "speed", "end")[2], rel=1e-3)
    # Nothing is wrong with them, so the extremes of the output are played.
    assert found.ok.all() and played == [np.argmax(found["end"]), np.argmin(found["end"])]
    assert found._repr_html_().startswith("<iframe") and not (tmp_path / "sweep.html.records").exists()
    # The free motion of a spinning cube wants smaller steps: four cases to be looked at, and three of them to be played.
    tossed = carom.sweep(scenes / "cube_toss.yaml", {"until": {"at": "duration", "values": [0.1]}, "speed": {
        "at": "bodies/cube/velocity/0", "values": [0.5, 0.6, 0.7, 0.8]}}, outputs={"end": "cube.position.x"})
    content, played = content_of(tossed)
    assert not tossed.ok.any() and played == [0, 1, 2] and tossed.reason[0] in content["runs"][0]["name"]


def test_a_sweep_leaves_faults_to_whoever_handled_them_before(scenes):
    code = f"""
import faulthandler, carom
faulthandler.enable()
vary = {{"until": {{"at": "duration", "values": [0.05]}}}}
carom.sweep({str(scenes / "cube_toss.yaml")!r}, vary)
faulthandler._sigsegv()
"""
    done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGSEGV and "Fatal Python error: Segmentation fault" in done.stderr


def test_a_sweep_goes_on_from_its_journal(scenes, tmp_path):
    vary = {"step": {"at": "method/step", "values": [0.01, 0.005]}, "until": {"at": "duration", "values": [0.1]}}
    half = carom.sweep(scenes / "sliding_box.yaml", {**vary, "step": {"at": "method/step", "values": [0.01]}},
                       journal=tmp_path / "map.journal")
    assert half.earlier == 0
    whole = carom.sweep(scenes / "sliding_box.yaml", vary, journal=tmp_path / "map.journal")
    assert whole.earlier == 1 and len(whole) == 2
    with pytest.raises(carom.Error, match="unknown key 'stepp'"):
        carom.sweep(scenes / "sliding_box.yaml", {"x": {"at": "method/stepp", "values": [1]}})
    with pytest.raises(carom.Error) as caught:
        carom.sweep(scenes / "sliding_box.yaml", {"x": {"at": "method/step", "valuess": [1]}})
    assert not isinstance(caught.value, carom.SceneError) and "valuess" in str(caught.value)


def test_kept_records_need_a_folder(scenes, tmp_path):
    vary = {"step": {"at": "method/step", "values": [0.01]}, "until": {"at": "duration", "values": [0.1]}}
    with pytest.raises(TypeError, match="records"):
        carom.sweep(scenes / "sliding_box.yaml", vary, keep="all")
    carom.sweep(scenes / "sliding_box.yaml", vary, keep="all", records=tmp_path / "kept")
    assert carom.open(tmp_path / "kept" / "case-0.h5").summary["end"] == "done"
