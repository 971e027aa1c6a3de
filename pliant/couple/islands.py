"""Islands: bodies that joints, springs, ropes and contacts connect, found anew in every step.

Fixed bodies connect nothing. Driven ones do: they are moved within the substeps, so only one island may hold them.
Islands are numbered by their smallest mover, those with soft things after all others, and list what they hold in index
order: nothing depends on threads. Vertices are in islands, but in none of the lists: their own block moves them.
"""

from .._jit import entry, kernel
from ..model.bodies import FIXED, Bodies
from ..model.contacts import Contacts
from ..model.islands import Islands
from ..model.joints import Coordinates, Drives, Joints
from ..model.point_ropes import ELEMENT, ELEMENTS, POINT, POINTS, PointRopes
from ..model.shapes import Shapes
from ..model.soft_contacts import SoftContacts, Surfaces, Ties, TieState
from ..model.soft_things import VERTEX
from ..model.springs import Springs


@entry
def find_islands(bodies: Bodies, shapes: Shapes, joints: Joints, coordinates: Coordinates, drives: Drives,
                 springs: Springs, ropes: PointRopes, contacts: Contacts, surfaces: Surfaces, ties: Ties,
                 tie_state: TieState, soft_contacts: SoftContacts, islands: Islands) -> int:
    """The number of islands without soft things. Writes: islands"""
    label, owner = islands.label, islands.owner
    for i in range(label.shape[0]):
        label[i] = i
    for j in range(joints.kind.shape[0]):
        unite(label, bodies.kind, joints.body[j, 0], joints.body[j, 1])
    for k in range(springs.stiffness.shape[0]):
        unite(label, bodies.kind, springs.body[k, 0], springs.body[k, 1])
    for k in range(contacts.count[0]):
        unite(label, bodies.kind, shapes.body[contacts.shape[k, 0]], shapes.body[contacts.shape[k, 1]])
    for k in range(ropes.rope.shape[0]):
        unite_rope(label, bodies.kind, ropes, k)
    unite_soft(label, bodies, surfaces, ties, tie_state, soft_contacts)
    count, plain = number_islands(label, owner, bodies.kind, bodies.link)
    islands.count[0], islands.count[1] = count, plain
    for i in range(label.shape[0]):
        owner[i] = -1 if bodies.link[i] == VERTEX else label[i]
    list_members(owner, label.shape[0], islands.first_body, islands.body, count)
    for j in range(joints.kind.shape[0]):
        owner[j] = island_of(label, joints.body[j, 0], joints.body[j, 1])
    list_members(owner, joints.kind.shape[0], islands.first_joint, islands.joint, count)
    for k in range(drives.law.shape[0]):
        j = coordinates.joint[drives.coordinate[k]]
        owner[k] = island_of(label, joints.body[j, 0], joints.body[j, 1])
    list_members(owner, drives.law.shape[0], islands.first_drive, islands.drive, count)
    for k in range(springs.stiffness.shape[0]):
        owner[k] = island_of(label, springs.body[k, 0], springs.body[k, 1])
    list_members(owner, springs.stiffness.shape[0], islands.first_spring, islands.spring, count)
    for k in range(contacts.count[0]):
        owner[k] = island_of(label, shapes.body[contacts.shape[k, 0]], shapes.body[contacts.shape[k, 1]])
    list_members(owner, contacts.count[0], islands.first_contact, islands.contact, count)
    for k in range(ropes.rope.shape[0]):
        owner[k] = label[ropes.rope[k, POINT]]
    list_members(owner, ropes.rope.shape[0], islands.first_rope, islands.rope, count)
    for k in range(ties.mover.shape[0]):
        owner[k] = label[ties.mover[k, 1]] if tie_state.holds[k] else -1
    list_members(owner, ties.mover.shape[0], islands.first_tie, islands.tie, count)
    for k in range(soft_contacts.count[0]):
        owner[k] = label[soft_contacts.mover[k, 3]]
    list_members(owner, soft_contacts.count[0], islands.first_touch, islands.touch, count)
    return plain


@kernel
def find(label, i):
    """The smallest body connected with `i`, as far as known. Writes: label (shorter ways)"""
    while label[i] != i:
        label[i] = label[label[i]]
        i = label[i]
    return i


@kernel
def unite(label, kind, a, b):
    """Writes: label"""
    if kind[a] == FIXED or kind[b] == FIXED:
        return
    a, b = find(label, a), find(label, b)
    if a < b:
        label[b] = a
    else:
        label[a] = b


@kernel
def unite_rope(label, kind, ropes, k):
    """The points and elements of rope `k` and what carries its ends. Writes: label"""
    point, element = ropes.rope[k, POINT], ropes.rope[k, ELEMENT]
    for i in range(point + 1, point + ropes.rope[k, POINTS]):
        unite(label, kind, point, i)
    for e in range(element, element + ropes.rope[k, ELEMENTS]):
        unite(label, kind, point, e)
    for end in range(2):
        if ropes.carrier[k, end] >= 0:
            unite(label, kind, point, ropes.carrier[k, end])


@kernel
def unite_soft(label, bodies, surfaces, ties, tie_state, contacts):
    """The vertices of each soft thing, and what ties and contacts join them with. Writes: label"""
    for k in range(surfaces.mover.shape[0]):
        i = surfaces.mover[k] + 1
        last = surfaces.mover[k + 1] if k + 1 < surfaces.mover.shape[0] else label.shape[0]
        while i < last and bodies.link[i] == VERTEX:
            unite(label, bodies.kind, surfaces.mover[k], i)
            i += 1
    for k in range(ties.mover.shape[0]):
        if tie_state.holds[k]:
            unite(label, bodies.kind, ties.mover[k, 0], ties.mover[k, 1])
    for k in range(contacts.count[0]):
        unite(label, bodies.kind, contacts.mover[k, 0], contacts.mover[k, 3])


@kernel
def number_islands(label, soft, kind, link):
    """Turn pointers to smaller movers into island numbers, -1 for fixed bodies; those that hold vertices come last.

    Returns how many there are, and how many hold none. Writes: label, soft (scratch: 1 for the smallest of a soft island)
    """
    count = 0
    for i in range(label.shape[0]):
        soft[i] = 0
    for i in range(label.shape[0]):
        if link[i] == VERTEX:
            soft[find(label, i)] = 1
    for i in range(label.shape[0]):
        if kind[i] != FIXED and label[i] == i and soft[i] == 0:
            soft[i] = -1 - count
            count += 1
    plain = count
    for i in range(label.shape[0]):
        if kind[i] != FIXED and label[i] == i and soft[i] == 1:
            soft[i] = -1 - count
            count += 1
    for i in range(label.shape[0]):
        label[i] = find(label, i)
    for i in range(label.shape[0]):
        label[i] = -1 if kind[i] == FIXED else -1 - soft[label[i]]
    return count, plain


@kernel
def island_of(label, a, b):
    """Island of a row between bodies `a` and `b`, -1 if neither moves."""
    return label[a] if label[a] >= 0 else label[b]


@kernel
def list_members(owner, n, first, members, count):
    """Sort `n` things by the island that owns them, in index order. Writes: first, members"""
    for k in range(count + 1):
        first[k] = 0
    for i in range(n):
        if owner[i] >= 0:
            first[owner[i] + 1] += 1
    for k in range(count):
        first[k + 1] += first[k]
    for i in range(n):
        if owner[i] >= 0:
            members[first[owner[i]]] = i
            first[owner[i]] += 1
    for back in range(count):
        first[count - back] = first[count - back - 1]
    first[0] = 0
