"""Patch meshes in NPZ files: exact arrays, and a version."""

import zipfile
from pathlib import Path

import numpy as np

from ..scene.errors import SceneError, shown
from ..scene.files.scene_file import file_to_write, write_whole
from ..scene.patch import PatchMesh, Quadric

VERSION = 1


def write_patches(mesh: PatchMesh, path: str | Path) -> None:
    """Write all of a mesh; the name is taken as given."""
    arrays: dict[str, np.ndarray] = {
        "pliant_patches": np.array(VERSION),
        "vertices": mesh.vertices,
        "faces": mesh.faces,
        "matrices": np.array([one.matrix for one in mesh.quadrics]).reshape(-1, 4, 4),
        "amplitudes": np.array([one.amplitude for one in mesh.quadrics]),
    }
    if mesh.shares is not None:
        arrays["share_counts"] = np.array([len(one) for one in mesh.shares], np.int32)
        arrays["shares"] = np.array([k for one in mesh.shares for k in one], np.int32)
    if mesh.cells is not None:
        arrays["cells"] = mesh.cells
    write_whole(file_to_write(path), lambda stream: np.savez_compressed(stream, **arrays))  # type: ignore[arg-type]


def read_patches(path: str | Path) -> PatchMesh:
    """Read what `write_patches` wrote."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
    except FileNotFoundError:
        raise SceneError(f"PatchMesh: the file {shown(str(path))} is not there.") from None
    except (OSError, ValueError, zipfile.BadZipFile, EOFError, KeyError, AttributeError, TypeError) as error:
        raise SceneError(f"PatchMesh: the file {shown(str(path))} cannot be read ({error}); it must be one that save() "
                         "wrote.") from None
    version = int(arrays.get("pliant_patches", np.array(0)))
    missing = {"vertices", "faces", "matrices", "amplitudes"} - arrays.keys()
    if version != VERSION or missing:
        what = f"it lacks {', '.join(sorted(missing))}" if missing else f"its version is {version}, wanted is {VERSION}"
        raise SceneError(f"PatchMesh: the file '{path}' is no file of patches: {what}.")
    quadrics = tuple(Quadric(m, float(a)) for m, a in zip(arrays["matrices"], arrays["amplitudes"], strict=True))
    shares = None
    if "share_counts" in arrays:
        ends = np.cumsum(arrays["share_counts"])[:-1]
        shares = tuple(tuple(one.tolist()) for one in np.split(arrays["shares"], ends))
    return PatchMesh(arrays["vertices"], arrays["faces"], quadrics, shares, arrays.get("cells"))
