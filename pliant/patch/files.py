"""Patch meshes in NPZ files: exact arrays, and a version."""

import os
import zipfile
from pathlib import Path

import numpy as np

from ..scene.errors import SceneError, shown
from ..scene.files.scene_file import file_to_write, write_whole
from ..scene.patch import PatchMesh, Quadric

VERSION = 1


def write_patches(mesh: PatchMesh, path: str | Path) -> None:
    """Write all of a mesh that can be used; the name is taken as given."""
    mesh.check()
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
    if not isinstance(path, (str, os.PathLike)):
        raise SceneError(f"PatchMesh: the path is {shown(path)}; name a file that save() wrote.")
    file = repr(os.fspath(path))  # whole: a path that is cut is of no use
    try:
        with np.load(path, allow_pickle=False) as found:
            arrays = dict(found)
    except FileNotFoundError:
        raise SceneError(f"PatchMesh: the file {file} is not there; give the path of one that save() wrote.") from None
    except OSError as error:
        raise SceneError(f"PatchMesh: the file {file} cannot be read ({error.strerror or error}); check its path and its "
                         "permissions.") from None
    except (ValueError, zipfile.BadZipFile, EOFError, KeyError, AttributeError, TypeError):
        raise SceneError(f"PatchMesh: the file {file} is no file of patches, or a damaged one; give one that "
                         "save() wrote.") from None
    missing = {"pliant_patches", "vertices", "faces", "matrices", "amplitudes"} - arrays.keys()
    if missing:
        raise SceneError(f"PatchMesh: the file {file} is no file of patches: it lacks {', '.join(sorted(missing))}; give one "
                         "that save() wrote.")
    if not np.array_equal(arrays["pliant_patches"], VERSION):
        raise SceneError(f"PatchMesh: the file {file} has version {shown(arrays['pliant_patches'].tolist())} of the format; "
                         f"this version of pliant reads {VERSION}; save the mesh again with it.")
    try:
        return _mesh(arrays)
    except (SceneError, ValueError, KeyError, TypeError) as error:
        raise SceneError(f"PatchMesh: the file {file} is damaged ({str(error).strip('.')}); save the mesh again.") from None


def _mesh(arrays: dict[str, np.ndarray]) -> PatchMesh:
    """The mesh of the arrays of a file, whose lengths may not fit."""
    quadrics = tuple(Quadric(m, float(a)) for m, a in zip(arrays["matrices"], arrays["amplitudes"], strict=True))
    shares = None
    if "share_counts" in arrays:
        ends = np.cumsum(arrays["share_counts"])[:-1]
        shares = tuple(tuple(one.tolist()) for one in np.split(arrays["shares"], ends))
    return PatchMesh(arrays["vertices"], arrays["faces"], quadrics, shares, arrays.get("cells"))
