"""Fits as a function: truth from closed forms comes back, as the command has it, and what is wrong is told."""

import csv
import json

import carom
import h5py
import numpy as np
import pytest

G, RADIUS, NOISE = 9.81, 0.03, 0.003
RESTITUTION, HEIGHT = 0.7, 1.0
COLUMNS = {"z": {"formula": "ball.position.z", "noise": NOISE}}
UNKNOWNS = {"restitution": (0.3, 0.95), "friction": {"bounds": [0.05, 0.8]}}


def height(time):
    """A ball let go at 1 m, after its bounces of Newton's restitution."""
    rise, z = 0.0, HEIGHT
    while True:
        flight = (rise + np.sqrt(rise**2 + 2 * G * (z - RADIUS))) / G
        if flight > time:
            return z + rise * time - 0.5 * G * time**2
        time, rise, z = time - flight, RESTITUTION * np.sqrt(rise**2 + 2 * G * (z - RADIUS)), RADIUS


@pytest.fixture(scope="module")
def film():
    time = np.arange(66) / 60
    seen = np.array([height(t) for t in time]) + NOISE * np.random.default_rng(3).normal(size=len(time))
    seen[[7, 20]] = np.nan
    return {"time": time, "z": seen}


@pytest.fixture(scope="module")
def fitted(film):
    from conftest import ROOT

    return carom.fit(ROOT / "scenes" / "thrown_ball.yaml", film, columns=COLUMNS, unknowns=UNKNOWNS, starts=1)


def test_truth_comes_back_with_an_interval_and_what_is_open_is_said(fitted, film):
    restitution, friction = fitted["restitution"], fitted["friction"]
    assert fitted.names == ["restitution", "friction"] and fitted.values.tolist() == [restitution.value, friction.value]
    assert restitution.interval[0] < RESTITUTION < restitution.interval[1] and restitution.determined
    assert np.array_equal(fitted.intervals[0], restitution.interval) and fitted.determined.tolist() == [True, False]
    # Heights know nothing of friction.
    assert friction.open_low and friction.open_high and friction.interval == friction.bounds == (0.05, 0.8)
    assert "friction is not determined" in fitted.words and fitted.words in fitted.table().replace("\n  ", " ") or fitted.sentences
    assert np.isnan(fitted.correlations[0, 1]) and fitted.smooth and "Gauss-Newton" in fitted.way
    # The profile passes the threshold of 95 % where the interval ends.
    low = np.interp(restitution.interval[0], restitution.profile_values, restitution.profile_rises)
    assert low == pytest.approx(fitted.rise_at_95, rel=0.05)


def test_a_fit_does_no_more_than_it_is_asked_for(fitted, film, scenes):
    def short(**asked):
        return carom.fit(scenes / "thrown_ball.yaml", film, columns=COLUMNS, unknowns={"restitution": (0.3, 0.95)}, starts=1, **asked)

    curved, bare, cut = short(smooth=True, intervals="curvature"), short(smooth=True, intervals="none"), short(
        smooth=False, intervals="none", runs=4)
    assert cut.runs < bare.runs < curved.runs < fitted.runs and cut.cut and not bare.cut and not curved.cut
    assert bare["restitution"].value == curved["restitution"].value == pytest.approx(fitted["restitution"].value, abs=1e-4)
    assert curved["restitution"].source == "curvature" and curved["restitution"].determined
    assert curved["restitution"].interval == pytest.approx(fitted["restitution"].interval, abs=2e-4)
    assert bare["restitution"].source == "none" and not bare["restitution"].determined
    assert np.isnan(bare.intervals).all() and np.isnan(bare.rise_at_95) and bare.correlations.shape == (0, 0)
    assert "No intervals were asked for" in bare.words and "95 %" not in bare.table()
    with pytest.raises(carom.Error, match="unknown smooth .perhaps."):
        short(smooth="perhaps")


def test_residuals_are_those_of_the_data(fitted, film):
    left = fitted.residuals["z"]
    assert np.array_equal(np.isnan(left), np.isnan(film["z"])) and fitted.measurements == fitted.columns[0].count == 64
    assert np.sqrt(np.nanmean(left**2)) == pytest.approx(fitted.columns[0].misfit) == pytest.approx(NOISE, rel=0.25)
    assert fitted.motions[0].first_impact == pytest.approx(np.sqrt(2 * (HEIGHT - RADIUS) / G), abs=1e-6)
    assert np.array_equal(fitted.motions[0].measured["z"], film["z"], equal_nan=True)


def test_a_fit_is_kept_and_shown(fitted, tmp_path, scenes):
    fitted.to_csv(tmp_path / "numbers.csv")
    with open(tmp_path / "numbers.csv", encoding="utf-8") as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    assert float(rows["restitution"]["value"]) == fitted["restitution"].value and rows["friction"]["open_high"] == "1"
    fitted.motions_to_csv(tmp_path / "motions.csv")
    with open(tmp_path / "motions.csv", encoding="utf-8") as file:
        fitted_z = [float(row["z.fitted"]) for row in csv.DictReader(file)]
    assert fitted_z == fitted.motions[0].fitted["z"].tolist()
    fitted.write(tmp_path / "fitted.yaml")
    assert carom.load(tmp_path / "fitted.yaml").text == fitted.scene_text
    with pytest.raises(carom.Error, match="begins with"):
        fitted.write(scenes / "thrown_ball.yaml")
    shown = fitted._repr_html_()
    assert shown.startswith("<iframe") and "Profiles" in shown
    with pytest.raises(carom.UnknownName, match="there is no number 'mass'; there are restitution, friction"):
        fitted["mass"]


def test_files_dicts_and_arrays_give_the_same_bits(fitted, film, scenes, tmp_path):
    table = "time,z\n" + "".join(f"{t!r},{'' if np.isnan(z) else repr(z)}\n" for t, z in zip(film["time"].tolist(), film["z"].tolist()))
    (tmp_path / "film.csv").write_text(table)
    asked = {"scene": str(scenes / "thrown_ball.yaml"), "data": str(tmp_path / "film.csv"), "columns": COLUMNS, "starts": 1,
             "unknowns": {"restitution": {"bounds": [0.3, 0.95]}, "friction": {"bounds": [0.05, 0.8]}}}
    (tmp_path / "study.yaml").write_text(json.dumps(asked))
    with h5py.File(tmp_path / "film.h5", "w") as file:  # one array of two columns, of which the study names the second
        file["time"], file["ball"] = film["time"], np.stack([film["time"], film["z"]], axis=1)
    of_array = {"columns": {"ball/1": COLUMNS["z"]}, "unknowns": UNKNOWNS, "starts": 1}
    ball = {"time": film["time"], "ball": np.stack([film["time"], film["z"]], axis=1)}
    for data in (tmp_path / "film.h5", ball):
        other = carom.fit(asked["scene"], data, **of_array)
        assert np.array_equal(other.values, fitted.values) and np.array_equal(other.intervals, fitted.intervals)
    for other in (carom.fit(tmp_path / "study.yaml", threads=1), carom.fit(asked)):
        assert np.array_equal(other.values, fitted.values) and np.array_equal(other.intervals, fitted.intervals)
        assert other.table() == fitted.table() and other.runs == fitted.runs
    assert other.data == str(tmp_path / "film.csv")


def h5_file(path, **datasets):
    with h5py.File(path, "w") as file:
        for name, values in datasets.items():
            file[name] = values
    return path


def test_matlabs_arrays_are_turned_and_its_texts_left_aside(scenes, film, fitted, tmp_path):
    # As save -v7.3 writes a column, an array (instants, 2), a text, an empty array and what cells hold.
    both = np.stack([film["time"], film["z"]])
    path = h5_file(tmp_path / "film.mat", time=film["time"][None], ball=both, note=np.zeros((5, 1), np.uint16), none=np.zeros(2, np.uint64))
    with h5py.File(path, "a") as file:
        for name, kind in {"time": "double", "ball": "double", "note": "char", "none": "double"}.items():
            file[name].attrs["MATLAB_class"] = np.bytes_(kind)
        file["note"].attrs["MATLAB_int_decode"], file["none"].attrs["MATLAB_empty"] = 2, 1
        file.create_group("#refs#")["a"] = np.zeros(3)
    asked = {"unknowns": UNKNOWNS, "starts": 1}
    found = carom.fit(scenes / "thrown_ball.yaml", path, columns={"ball/1": COLUMNS["z"]}, **asked)
    assert np.array_equal(found.values, fitted.values)
    with pytest.raises(carom.Error, match="no column 'note': it holds no numbers"):
        carom.fit(scenes / "thrown_ball.yaml", path, columns={"note": COLUMNS["z"]}, **asked)
    # A matrix with as many columns as instants: its rows are the instants, MATLAB's the other way round.
    with h5py.File(path, "w") as file:
        file["time"], file["ball"] = [0.0, 0.1, 0.2], [[1.0, 0.951, 0.8038], [5.0, 6.0, 7.0], [5.0, 6.0, 7.0]]
        file["ball"].attrs["MATLAB_class"] = np.bytes_("double")
    left = carom.fit(scenes / "thrown_ball.yaml", path, columns={"ball/0": COLUMNS["z"]}, **asked).residuals["ball/0"]
    assert np.abs(left).max() < 1e-3


def test_hdf5_of_other_programs_is_read_or_refused_with_a_sentence(scenes, film, fitted, tmp_path):
    def fit(path):
        return carom.fit(scenes / "thrown_ball.yaml", path, columns=COLUMNS, unknowns=UNKNOWNS, starts=1)

    path = tmp_path / "film.h5"
    with h5py.File(path, "w", libver="latest", userblock_size=512) as file:
        file.create_dataset("time", data=film["time"].astype(">f8"), compression="gzip", chunks=(7,))
        file.create_dataset("z", data=film["z"], maxshape=(None,))
        file["experiment"] = np.ones(len(film["time"]), bool).astype(float)
    assert np.array_equal(fit(path).values, fitted.values)
    with h5py.File(path, "w") as file:  # it says that it holds 2^64 numbers
        file["time"] = film["time"][:4]
        file.create_dataset("z", shape=(4, 2**62), chunks=(4, 1), dtype="f8")
    with pytest.raises(carom.Error, match="/z claims .* the file holds no such number"):
        fit(path)
    with h5py.File(path, "w") as file:
        file["time"] = film["time"]
        group = file.create_group("a")
        group["self"] = group
    with pytest.raises(carom.Error, match="groups deep"):
        fit(path)
    h5_file(path, time=film["time"], z=film["z"][None, None])
    with pytest.raises(carom.Error, match=r"/z has the shape \(1, 1, 66\), but there are 66 instants"):
        fit(path)


def test_experiments_have_numbers_of_their_own(scenes):
    # Free flight: x = speed · t, without an error; each throw has its own speed.
    time = np.tile(np.arange(12) / 60, 2)
    data = {"time": time, "experiment": ["slow"] * 12 + ["fast"] * 12, "x": np.repeat([1.0, 3.0], 12) * time}
    found = carom.fit(scenes / "thrown_ball.yaml", data, columns={"x": {"formula": "ball.position.x", "noise": 1e-3}}, starts=1,
                      unknowns={"speed": {"at": "bodies/ball/velocity/0", "bounds": np.array([0.0, 5.0]), "per": "experiment"}})
    assert found.names == ["speed of slow", "speed of fast"] and found.values == pytest.approx([1, 3], abs=1e-6)
    assert [motion.name for motion in found.motions] == ["slow", "fast"] and len(found.residuals["x"]) == 24


def test_what_does_not_fit_is_told(scenes, film):
    ball = scenes / "thrown_ball.yaml"

    def fails(kind, sentence, data=film, **asked):
        with pytest.raises(kind, match=sentence):
            carom.fit(ball, data, **{"columns": COLUMNS, "unknowns": UNKNOWNS, **asked})

    fails(carom.Error, "there is no 'time', s; there are z", {"z": [1.0]})
    fails(carom.Error, r"z has shape \(2, 1, 1\)", {"time": [0, 1], "z": [[[1]], [[2]]]})
    fails(carom.Error, "there are two columns 'z/0'", {"time": [0, 1], "z/0": [1, 2], "z": [[1, 2], [3, 4]]})
    fails(carom.Error, "z holds texts; right are numbers", {"time": [0, 1], "z": ["1", "2"]})
    fails(carom.Error, "z holds complex128; right are numbers", {"time": [0, 1], "z": [1j, 2]})
    fails(carom.Error, "z holds lists of unequal lengths", {"time": [0, 1], "z": [[1, 2], [3]]})
    fails(carom.Error, "'z' has 1 entries, but 'time' 2", {"time": [0, 1], "z": [1]})
    fails(carom.Error, "the data, entry 2: the time does not grow", {"time": [0, 1, 1], "z": [1, 1, 1]})
    fails(carom.Error, "the data, entry 0: z is infinite", {"time": [0], "z": [np.inf]})
    fails(carom.Error, "the data has no column 'y'", columns={"y": "ball.position.y"})
    fails(carom.Error, "unknown loss 'cubes'; there are: squares", loss="cubes")
    fails(carom.Error, "unknown 'step': method/step says how the scene is computed",
          unknowns={"step": {"at": "method/step", "bounds": (0.001, 0.1)}})
    fails(carom.Error, "unknown 'restitution': the scene is refused at its upper bound, 1.5: ", unknowns={"restitution": (0.1, 1.5)})
    fails(TypeError, "needs unknowns to be fitted", unknowns={})
    fails(TypeError, "needs data to be fitted", data=None)
    with pytest.raises(TypeError, match="loss: the study says this itself"):
        carom.fit({"scene": str(ball)}, film, loss="huber")
