"""Collision detection of one step: a table of contents."""

from .._jit import bind
from ..model.bodies import Bodies, Motion
from ..model.contacts import Contacts
from ..model.shapes import FIELD, PLANE, Excluded, Fields, Hulls, Shapes
from .convex_pairs import touch_convex
from .height_field import touch_fields
from .pairs import CONVEX, WITH_FIELD, WITH_PLANE, find_pairs
from .persist import refresh
from .plane import touch_planes
from .work import CollideWork


class Detector:
    """Collision detection of a model and a state, its arrays bound once."""

    def __init__(self, bodies: Bodies, shapes: Shapes, hulls: Hulls, fields: Fields, excluded: Excluded, motion: Motion,
                 contacts: Contacts, work: CollideWork) -> None:
        pairs, places, fresh = work.pairs, work.places, work.fresh
        planes, heights = shapes.kind == PLANE, shapes.kind == FIELD
        movers = len(set(shapes.body[~planes & ~heights].tolist()))
        self.pairs, self.fresh, self.meets, self.falls = pairs, fresh, movers > 1, bool(heights.any() and movers)
        self.count = pairs.count.tolist()
        self.idle = movers == 0 or (movers == 1 and not planes.any() and not heights.any())
        self.find_pairs = bind(find_pairs, bodies, shapes, excluded, motion, work.extents, places, work.tree, pairs,
                               likely=not self.idle)
        self.touch_planes = bind(touch_planes, shapes, hulls, places, pairs, fresh, likely=bool(planes.any() and movers))
        self.touch_convex = bind(touch_convex, shapes, hulls, motion, work.extents, places, pairs, fresh, work.narrow,
                                 likely=self.meets)
        self.touch_fields = bind(touch_fields, shapes, hulls, fields, work.extents, places, pairs, fresh, work.field,
                                 likely=self.falls)
        self.refresh = bind(refresh, contacts, fresh, pairs, likely=not self.idle)

    def __call__(self, dt: float) -> int:
        """Refresh the contacts for the coming step of `dt` [s] and return their number.

        A number above the capacity means that the table was too small and that the old contacts still stand in it:
        `grow` it, make new scratch, and detect again.
        """
        if self.idle:
            return 0
        self._find(dt)
        return self.refresh()

    def seek(self, dt: float) -> int:
        """The number of contacts just found, before they are handed on; more than there is room for if there was too little."""
        self._find(dt)
        return max(int(self.fresh.count[0]), self.count[0] if self.count[0] > len(self.pairs.shape) else 0)

    def _find(self, dt: float) -> None:
        """Pairs that may touch, and where; `count` as pairs.count has it."""
        self.fresh.count[0] = 0
        self.find_pairs(dt)
        self.count = count = self.pairs.count.tolist()
        if count[0] <= len(self.pairs.shape):
            if count[WITH_PLANE]:
                self.touch_planes()
            if count[CONVEX]:
                self.touch_convex(dt)
            if count[WITH_FIELD]:
                self.touch_fields(dt)


def detect(bodies: Bodies, shapes: Shapes, hulls: Hulls, fields: Fields, excluded: Excluded, motion: Motion,
           contacts: Contacts, work: CollideWork, dt: float) -> int:
    """The same for a single call."""
    return Detector(bodies, shapes, hulls, fields, excluded, motion, contacts, work)(dt)
