"""Patches in the house: one signature for each entry, scene files. Oracles: annotations, bits."""

import numpy as np
import pytest
from numba import config
from test_patch_measures import deformed

from pliant.patch import cast, heights, integrals, rays
from pliant.patch.measure import mass_properties, quadrature, shape_of, surface_of, vertex_volumes
from pliant.scene.files.decode import Place, value_of
from pliant.scene.files.encode import Encoder
from pliant.scene.patch import PatchMesh


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
def test_entries_are_used_with_the_signature_that_is_compiled_ahead():
    from pliant._jit import ENTRIES

    mesh = PatchMesh.car_body(1.0)
    x = deformed(mesh, 1)
    mesh.volume(x), mesh.area(x), mass_properties(mesh), vertex_volumes(mesh)
    mesh.tessellate(0.05).deformed(x)
    cast.cast(mesh, x + 1.0, -x, x)
    patches, shape = surface_of(mesh).patches, shape_of(mesh, x)
    integrals.patch_moments(patches.face, quadrature(mesh, 1e-3), shape.normal, np.zeros((len(mesh.faces), 3, 3)))
    mine = [one for one in ENTRIES if one.py_func.__module__ in {heights.__name__, integrals.__name__, rays.__name__}]
    assert len(mine) == 8
    for one in mine:
        assert len(one.packed.signatures) == 1, one.py_func.__name__


def test_a_scene_file_can_hold_patches(tmp_path):
    mesh = PatchMesh.car_body(2.0)
    encoder = Encoder(tmp_path, json=False)
    content = encoder.noun(mesh, "car")
    place = Place(tmp_path / "scene.yaml", "", None, encoder.arrays)
    back = value_of(content, PatchMesh, place)
    np.testing.assert_array_equal(back.vertices, mesh.vertices)
    np.testing.assert_array_equal(back.cells, mesh.cells)
    assert [one.amplitude for one in back.quadrics] == [one.amplitude for one in mesh.quadrics]
    np.testing.assert_array_equal([one.matrix for one in back.quadrics], [one.matrix for one in mesh.quadrics])
