"""Collision detection of cloth and solids for one step: a table of contents."""

import numpy as np

from ..._jit import bind
from ...model.bodies import Bodies, Motion
from ...model.schema import allocate
from ...model.shapes import Excluded, Fields, Hulls, Shapes
from ...model.soft_contacts import Relief, SoftContacts, Surfaces, Ties, TieState
from ..work import collide_work
from .carry import lay_down, place_fine
from .faces import touch_faces
from .fine import FineSurfaces, fine_work
from .persist import Fresh, fresh_of, refresh
from .points import touch_points
from .rods import touch_rods
from .soft_pairs import touch_soft
from .spines import spines_of
from .vertices import place, touch_vertices
from .work import Skin, boxes_of, face_work_of, skin_of


class SoftDetector:
    """Collision detection of cloth and solids of a model and a state, its arrays bound once."""

    def __init__(self, bodies: Bodies, shapes: Shapes, hulls: Hulls, fields: Fields, surfaces: Surfaces, motion: Motion,
                 contacts: SoftContacts, excluded: Excluded, rest: np.ndarray | None = None,
                 relief: Relief | None = None, stilled: np.ndarray | None = None, small: FineSurfaces | None = None,
                 skin: Skin | None = None) -> None:
        """excluded: pairs of a vertex and what holds it, which never touch, as movers. rest: where all movers were when the
        things were at rest [m] (n, 3); where they are now if not given. relief: of things made of patches (`relief_of`).
        stilled: what was taken out of the motion of each mover [m/s] (n,) and may come back. small: triangles that follow the
        relief, by which soft things meet each other (`fine_of`). skin: of another detector with the same surfaces, `rest` and
        `relief`."""
        rest = motion.position.copy() if rest is None else rest
        relief = allocate(Relief, p=0) if relief is None else relief
        self.skin = skin = skin or skin_of(surfaces, rest, relief)
        work, fresh = collide_work(shapes, hulls, fields, 0), fresh_of(len(contacts.key))
        boxes = boxes_of(skin, len(motion.position))
        boxes = boxes if stilled is None else boxes._replace(stilled=stilled)
        self._fresh, self.slop = fresh, skin.slop
        spines = spines_of(shapes, hulls, skin)
        self.stout = not len(spines.radius)
        self.bare = not len(shapes.kind)
        self.smooth = not len(relief.face)
        self.several = len(surfaces.closed) > 1
        self.alone = not self.several and not surfaces.itself.any()
        self.place = bind(place, shapes, surfaces, motion, work.extents, work.places, skin, boxes, fresh)
        self.touch_vertices = bind(touch_vertices, bodies, shapes, hulls, fields, excluded, motion, surfaces, work.places, skin,
                                   boxes, spines, contacts, fresh, likely=not self.bare)
        self.touch_faces = bind(touch_faces, bodies, shapes, hulls, fields, excluded, motion, surfaces, work.extents,
                                work.places, skin, boxes, spines, contacts, fresh, face_work_of(shapes, hulls, fields),
                                likely=not self.bare)
        self.touch_points = bind(touch_points, bodies, shapes, hulls, fields, excluded, motion, surfaces, relief, work.places,
                                 skin, boxes, fresh, likely=not self.smooth and not self.bare)
        self.touch_rods = bind(touch_rods, bodies, shapes, excluded, motion, surfaces, work.places, skin, boxes, spines,
                               contacts, fresh, likely=not self.stout)
        self._bind_soft(excluded, surfaces, motion, rest, skin, boxes, contacts, None if self.alone else small)
        self.refresh = bind(refresh, contacts, fresh)

    def _bind_soft(self, excluded, surfaces, motion, rest, skin, boxes, contacts, small: FineSurfaces | None) -> None:
        """What finds contacts among soft things: by their own triangles, or where there is a relief by small ones."""
        self.place_fine = self.lay_down = None
        if small is not None:
            work = fine_work(small, surfaces, excluded)
            self.place_fine = bind(place_fine, surfaces, motion, skin, boxes, small.surfaces, small.fine, *work[1:])
            self.lay_down = bind(lay_down, surfaces, motion, small.surfaces, small.fine, *work[1:], self._fresh)
            surfaces, rest = small.surfaces, small.rest
            excluded, motion, skin, boxes = work
        self.crossed = boxes.crossed
        """An edge of each sheet that led through triangles of its own when contacts were last found, or -1."""
        self.edge = surfaces.edge
        boxes.crossed[:] = -1
        groups = (motion, rest, skin, boxes, contacts, self._fresh)
        self.touch_soft = bind(touch_soft, excluded, surfaces, *groups, likely=not self.alone)
        apart = surfaces._replace(itself=np.zeros_like(surfaces.itself))
        self.touch_others = bind(touch_soft, excluded, apart, *groups, likely=self.several)

    def __call__(self, dt: float) -> int:
        """Refresh the contacts for the coming step of `dt` [s] and return their number.

        A number above the capacity means that the table was too small and that the old contacts still stand in it:
        `grow` it, make a new detector with the same `rest`, and detect again.
        """
        self._touch_bodies(dt)
        if not self.alone:
            self._touch_each_other(self.touch_soft, dt)
        return self.refresh()

    def seek(self, dt: float) -> Fresh:
        """The contacts but for those of things with themselves, before they are handed on, with their number, even if there is
        no room for so many."""
        self._touch_bodies(dt)
        if self.several:
            self._touch_each_other(self.touch_others, dt)
        return self._fresh

    def _touch_each_other(self, touch, dt: float) -> None:
        if self.place_fine is not None:
            self.place_fine(dt)
        touch(dt)
        if self.lay_down is not None:
            self.lay_down(dt)

    def _touch_bodies(self, dt: float) -> None:
        self.place(dt)
        if not self.bare:
            self.touch_vertices(dt)
            self.touch_faces(dt)
            if not self.stout:
                self.touch_rods(dt)
            if not self.smooth:
                self.touch_points(dt)


def passing_of(excluded: Excluded, ties: Ties, state: TieState) -> Excluded:
    """The pairs that never touch, with those of ties that hold, and without those of ties that have let go."""
    low, high = np.sort(ties.mover.astype(np.int64), axis=1).T
    pair, holds = (low << 32) + high, state.holds > 0
    free = np.setdiff1d(pair[~holds], pair[holds])
    return excluded._replace(pair=np.union1d(np.setdiff1d(excluded.pair, free), pair[holds]))
