"""Opens records as anyone would and prints, for each, the number of frames and the step of the last one."""
import sys

try:
    import h5py
except ImportError:
    sys.exit(77)

for path in sys.argv[1:]:
    with h5py.File(path, "r") as record:
        frames = record["time"].shape[0]
        groups = {}
        grouped = ("contacts", "memory", "events", "impacts", "impact_contacts", "intervals", "interval_contacts")
        for name in list(record) + list(grouped):
            if isinstance(record[name], h5py.Dataset):
                assert record[name].shape[0] == frames, (path, name, record[name].shape, frames)
                record[name][...]
                continue
            for dataset in record[name].values():
                dataset[...]
                if dataset.name.endswith("/offsets"):
                    assert dataset.shape[0] == frames + 1, (path, dataset.name)
                elif name in ("bodies", "frames", "mechanisms", "colliders", "joints", "constraint_loads"):
                    assert dataset.shape[0] == frames, (path, dataset.name)
                elif name in grouped:
                    groups.setdefault(name, set()).add(dataset.shape[0])
        assert all(len(lengths) == 1 for lengths in groups.values()), (path, groups)
        for group in ("contacts", "memory"):
            offsets = record[group]["offsets"][...]
            assert offsets[0] == 0 and offsets[-1] == groups[group].pop() and (offsets[1:] >= offsets[:-1]).all(), path
        assert record["certificate"].attrs["steps"] == record["step"][-1], path
        print(frames, record["step"][-1])
