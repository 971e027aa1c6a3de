"""Collision detection of one step: a table of contents."""

from ..model.bodies import Bodies, Motion
from ..model.contacts import Contacts
from ..model.shapes import Excluded, Fields, Hulls, Shapes
from .convex_pairs import touch_convex
from .height_field import touch_fields
from .pairs import CONVEX, WITH_FIELD, WITH_PLANE, find_pairs
from .persist import refresh
from .plane import touch_planes
from .work import CollideWork


def detect(
    bodies: Bodies,
    shapes: Shapes,
    hulls: Hulls,
    fields: Fields,
    excluded: Excluded,
    motion: Motion,
    contacts: Contacts,
    work: CollideWork,
    dt: float,
) -> int:
    """Refresh `contacts` for the coming step of `dt` [s] and return their number.

    A number above the capacity means that the table was too small and that the old contacts still stand in it: `grow`
    it, make new scratch, and call again.
    """
    pairs, places, fresh = work.pairs, work.places, work.fresh
    fresh.count[0] = 0
    find_pairs(bodies, shapes, excluded, motion, work.extents, places, work.tree, pairs, dt)
    if len(pairs.shape) >= pairs.count[0]:
        if pairs.count[WITH_PLANE]:
            touch_planes(shapes, hulls, places, pairs, fresh)
        if pairs.count[CONVEX]:
            touch_convex(shapes, hulls, places, pairs, fresh, work.narrow)
        if pairs.count[WITH_FIELD]:
            touch_fields(shapes, hulls, fields, work.extents, places, pairs, fresh, work.field)
    return refresh(contacts, fresh, pairs)
