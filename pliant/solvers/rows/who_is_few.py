"""Whose contacts are solved at once: those of islands that sweeps would not bring to an end, and that are small enough.

A sweep does not know that joints hold what it pushes. Wheels bear that: each has one or two contacts, and the impulses of the
step before are nearly right. Feet, fingers and other faces do not: a walking robot of 16 joints on flat feet of 0.1 kg got
600 J out of nowhere in 9 s of standing, a box between two fingers on the ground went 6 cm beside its place; nor do limbs that
tumble: a doll of 10 bodies thrown on the ground gained 25 J in one step, and crept on stairs. Solved at once all of them rest.
"""

from math import inf

from ..._jit import kernel
from ...model.joints import ROD
from ...model.rows import MOST_DRIVES, MOST_FEW, MOST_FREE, MOST_SPRINGS
from .contact_core import CORES, ON_RIDGE, is_wheel
from .few_ropes import has_rods

FEW = 8
"""So many contacts are solved at once in any case; up to MOST_FEW where sweeps would take too long: where faces of jointed
bodies touch; up to MOST_FREE where limbs do and no wheels, beside up to MOST_SPRINGS springs, or as masses differ."""
HEAVY = 8.0
"""Masses differ if the heaviest body is more than so many times the lightest [-]."""
MOST_LINKED = 16
"""So many joints at most, if no faces of jointed bodies touch: solving contacts at once takes that much longer."""
MOST_SPRUNG = 64
"""The same beside springs that touch nothing or are stiff: sweeps bring these to no end where joints make them answer each
other. A car on four double wishbones with stiff tie rods stood still; what is soft, as a scout on coils, takes less time so."""
MOST_BESIDE_ROPES = 16
"""So many contacts at most beside direct ropes: all of these answer each row by itself."""
MOST_ROPED = 8
"""And so many joints."""
FACE = 3
"""So many contacts of two bodies make a face, each of a round thing as many less."""


@kernel
def are_few(movers, joints, body, islands, i, stiff):
    """Whether the contacts of an island may be solved at once, `body` the two of each contact; 1 if springs are `stiff`."""
    count, links = islands.first_contact[i + 1] - islands.first_contact[i], islands.first_joint[i + 1] - islands.first_joint[i]
    if not 0 < count <= MOST_FEW or not has_room_for_rows(joints, islands, i) or has_rods(joints, islands, i):
        return False
    sprung = islands.first_spring[i] < islands.first_spring[i + 1]
    if (links <= MOST_LINKED and (count <= FEW or (count <= MOST_FREE and is_uneven(movers, islands, i)))) or (
            sprung and links <= (MOST_SPRUNG if stiff == 1 else MOST_LINKED) and count <= MOST_FREE):
        return True
    return links > 0 and (touches_flat(movers, body, islands, i) or (links <= MOST_LINKED and (
        is_gripped(movers.bodies, body, islands, i) or (count <= MOST_FREE and lies_on_limbs(movers, body, islands, i)))))


@kernel
def are_few_beside_ropes(movers, joints, body, islands, i):
    """The same of an island with direct ropes, whose links do not touch."""
    count, links, link = islands.first_contact[i + 1] - islands.first_contact[i], 0, movers.bodies.link
    soft = islands.first_tie[i] < islands.first_tie[i + 1] or islands.first_touch[i] < islands.first_touch[i + 1]
    if soft or not 0 < count <= MOST_BESIDE_ROPES or not has_room_for_rows(joints, islands, i):
        return False
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        if link[body[k, 0]] == 1 or link[body[k, 1]] == 1:
            return False
    closed = False
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        links += joints.kind[islands.joint[m]] != ROD
        closed |= joints.outer[islands.joint[m]] < 0
    return links <= MOST_ROPED and not closed


@kernel
def are_springs_few(joints, islands, i):
    """Whether springs on joints that touch nothing may be solved at once, in the same way."""
    links = islands.first_joint[i + 1] - islands.first_joint[i]
    if islands.first_contact[i] < islands.first_contact[i + 1] or links > MOST_SPRUNG:
        return False
    return has_room_for_rows(joints, islands, i) and not has_rods(joints, islands, i)


@kernel
def has_room_for_rows(joints, islands, i):
    """Whether rows of springs have room in the scratch, those of joints whose drives no tree takes among them."""
    springs, drives = islands.first_spring[i + 1] - islands.first_spring[i], islands.first_drive[i + 1] - islands.first_drive[i]
    if springs > MOST_SPRINGS or drives <= MOST_DRIVES:
        return springs <= MOST_SPRINGS
    taken = True
    for m in range(islands.first_joint[i], islands.first_joint[i + 1]):
        j = islands.joint[m]
        taken &= joints.outer[j] >= 0 and joints.anvil[j] + joints.spring[j] == 0.0
    return taken


@kernel
def has_loops(joints, islands, i):
    """Whether joints of an island close loops."""
    return joints.outer[islands.joint[islands.first_joint[i + 1] - 1]] < 0


@kernel
def touches_flat(movers, body, islands, i):
    """Whether a jointed body touches another with a face, as a wheel with its side does not, and is less than half of what
    moves in an island: the bed of a truck is more, and bears boxes as ground does.

    Contacts of two bodies follow each other.
    """
    alike, found, half, last = 0, False, 0.5 * mass_of(movers.bodies, islands, i), islands.first_contact[i + 1] - 1
    for m in range(islands.first_contact[i], last + 1):
        k, after = islands.contact[m], islands.contact[min(m + 1, last)]
        a, b = body[k, 0], body[k, 1]
        alike += 1 if ON_RIDGE < body[k, 2] < CORES else -FACE
        if m == last or body[after, 0] != a or body[after, 1] != b:
            found |= alike >= FACE and (is_limb(movers.bodies, a, half) or is_limb(movers.bodies, b, half))
            alike = 0
    return found


@kernel
def lies_on_limbs(movers, body, islands, i):
    """Whether a limb touches something, and nothing of an island stands on wheels: limbs that tumble meet now here, now there,
    and what they bore in the step before says little."""
    found, wheels, half = False, False, 0.5 * mass_of(movers.bodies, islands, i)
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        k = islands.contact[m]
        wheels |= is_wheel(body[k, 2])
        found |= is_limb(movers.bodies, body[k, 0], half) or is_limb(movers.bodies, body[k, 1], half)
    return found and not wheels


@kernel
def is_gripped(bodies, body, islands, i):
    """Whether something that no joint holds touches two others, one of them on joints and lighter, as between finger and palm:
    balls in a tray do with sweeps."""
    found = False
    for m in range(islands.first_contact[i], islands.first_contact[i + 1]):
        for side in range(2):
            held, by = body[islands.contact[m], side], body[islands.contact[m], 1 - side]
            if bodies.tree[held] >= 0 or bodies.tree[by] < 0 or not 0.0 < bodies.mass[by] < bodies.mass[held]:
                continue
            for n in range(islands.first_contact[i], islands.first_contact[i + 1]):
                a, b = body[islands.contact[n], 0], body[islands.contact[n], 1]
                found |= (a == held and b != by) or (b == held and a != by)
    return found


@kernel
def mass_of(bodies, islands, i):
    """Of all that moves in an island [kg]."""
    total = 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        total += bodies.mass[islands.body[m]]
    return total


@kernel
def is_limb(bodies, k, most):
    """Whether body `k` moves on joints, and has no more mass than `most` [kg]."""
    return bodies.tree[k] >= 0 and 0.0 < bodies.mass[k] <= most


@kernel
def is_uneven(movers, islands, i):
    """Whether the heaviest body of an island that no joint holds has more than HEAVY times the mass of the lightest."""
    least, most = inf, 0.0
    for m in range(islands.first_body[i], islands.first_body[i + 1]):
        k = islands.body[m]
        if movers.bodies.tree[k] < 0 and movers.ports.inverse_mass[k] > 0.0:
            least, most = min(least, movers.ports.inverse_mass[k]), max(most, movers.ports.inverse_mass[k])
    return most > HEAVY * least
