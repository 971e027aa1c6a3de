"""Islands: bodies that joints, springs, ropes and contacts connect, found anew in every step.

Fixed bodies connect nothing. Driven ones do: they are moved within the substeps, so only one island may hold them.
Islands are numbered by their smallest body, and list what they hold in index order: nothing depends on threads.
"""

from .._jit import entry, kernel
from ..model.bodies import FIXED, Bodies
from ..model.contacts import Contacts
from ..model.islands import Islands
from ..model.joints import Coordinates, Drives, Joints
from ..model.point_ropes import ELEMENT, ELEMENTS, POINT, POINTS, PointRopes
from ..model.shapes import Shapes
from ..model.soft_things import VERTEX
from ..model.springs import Springs


@entry
def find_islands(bodies: Bodies, shapes: Shapes, joints: Joints, coordinates: Coordinates, drives: Drives,
                 springs: Springs, ropes: PointRopes, contacts: Contacts, islands: Islands) -> int:
    """The number of islands. Writes: islands"""
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
    count = number_islands(label, bodies.kind, bodies.link)
    islands.count[0] = count
    list_members(label, label.shape[0], islands.first_body, islands.body, count)
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
    return count


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
def number_islands(label, kind, link):
    """Turn pointers to smaller bodies into island numbers, -1 for fixed bodies and for vertices, which their own solver
    moves; returns how many. Writes: label"""
    count = 0
    for i in range(label.shape[0]):
        if kind[i] == FIXED or link[i] == VERTEX:
            label[i] = -1
        elif label[i] == i:
            label[i] = count
            count += 1
        else:
            label[i] = label[label[i]]  # a smaller body, numbered already
    return count


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
