"""Which bounded shapes are near each other: a packed tree of boxes along a space-filling curve.

The shapes are sorted by the Morton code of their middles (their order is kept, so that the sort finds it nearly
done), four neighbours make a node, four nodes the next one, up to a single root. Any order gives the same pairs; a good
one only makes the tree tight. The work grows as n log n whatever the sizes of the shapes and however they are spread.
"""

from .._jit import kernel
from ..model.bodies import DYNAMIC
from .bounds import overlap


@kernel
def build_tree(places, tree):
    """Writes: tree"""
    n = tree.order.shape[0]
    tree.first[0] = 0
    if n == 0:
        return
    _codes(places, tree)
    _sort(tree.order, tree.code)
    for k in range(n):
        i = tree.order[k]
        for c in range(3):
            tree.lower[k, c] = places.lower[i, c]
            tree.upper[k, c] = places.upper[i, c]
    begin, end, level = 0, n, 0
    while True:
        level += 1
        tree.first[level] = end
        node = end
        for first in range(begin, end, 4):
            _enclose(tree, node, first, min(first + 4, end))
            node += 1
        begin, end = end, node
        if end - begin == 1:
            break
    tree.first[level + 1] = end
    tree.first[31] = level


@kernel
def _enclose(tree, node, first, last):
    for c in range(3):
        low, high = tree.lower[first, c], tree.upper[first, c]
        for child in range(first + 1, last):
            low = min(low, tree.lower[child, c])
            high = max(high, tree.upper[child, c])
        tree.lower[node, c] = low
        tree.upper[node, c] = high


@kernel
def _codes(places, tree):
    """Place of every shape on the Morton curve: ten bits of each coordinate of its middle, interleaved."""
    n = tree.order.shape[0]
    for k in range(n):
        tree.code[k] = 0
    for c in range(3):
        low, high = 1e300, -1e300
        for k in range(n):
            i = tree.order[k]
            middle = places.lower[i, c] + places.upper[i, c]
            low, high = min(low, middle), max(high, middle)
        per_metre = 1023.0 / max(high - low, 1e-9)
        for k in range(n):
            i = tree.order[k]
            cell = int((places.lower[i, c] + places.upper[i, c] - low) * per_metre)
            cell = min(max(cell, 0), 1023)
            for bit in range(10):
                tree.code[k] |= ((cell >> bit) & 1) << (3 * bit + c)


@kernel
def _sort(order, code):
    """Shell sort by code, then by number: in place, the same for the same codes, quick when nearly sorted."""
    n = order.shape[0]
    gap = 1
    while gap * 9 // 4 + 1 < n // 2:
        gap = gap * 9 // 4 + 1
    while gap > 0:
        for k in range(gap, n):
            one, its = code[k], order[k]
            j = k
            while j >= gap and (code[j - gap] > one or (code[j - gap] == one and order[j - gap] > its)):
                code[j], order[j] = code[j - gap], order[j - gap]
                j -= gap
            code[j], order[j] = one, its
        gap = gap * 4 // 9


@kernel
def near_pairs(bodies, shapes, excluded, places, tree, pairs):
    """Every pair of bounded shapes whose boxes overlap and that may touch. Writes: pairs, tree.stack"""
    if tree.order.shape[0] == 0:
        return
    root_level = tree.first[31]
    for k in range(tree.order.shape[0]):
        i = tree.order[k]
        if bodies.kind[shapes.body[i]] != DYNAMIC:
            continue  # it is found by the dynamic ones
        top = 1
        tree.stack[0] = tree.first[root_level]
        level_of = root_level
        while top > 0:
            top -= 1
            node = tree.stack[top]
            while node < tree.first[level_of]:
                level_of -= 1
            while node >= tree.first[level_of + 1]:
                level_of += 1
            begin = tree.first[level_of - 1] + 4 * (node - tree.first[level_of])
            end = min(begin + 4, tree.first[level_of])
            pairs.count[4] += end - begin
            for child in range(begin, end):
                if overlap(places.lower, places.upper, i, tree.lower, tree.upper, child):
                    if level_of > 1:
                        tree.stack[top] = child
                        top += 1
                    else:
                        j = tree.order[child]
                        if (j > i or bodies.kind[shapes.body[j]] != DYNAMIC) and may_touch(
                            bodies, shapes, excluded, i, j
                        ):
                            add_pair(pairs, i, j)


@kernel
def may_touch(bodies, shapes, excluded, i, j):
    """Whether the bodies of two shapes are two, not both immovable, and not told to let each other pass."""
    a, b = shapes.body[i], shapes.body[j]
    if a == b or (bodies.kind[a] != DYNAMIC and bodies.kind[b] != DYNAMIC):
        return False
    wanted = int(min(a, b)) * 4294967296 + int(max(a, b))
    low, high = 0, excluded.pair.shape[0]
    while low < high:
        middle = (low + high) >> 1
        if excluded.pair[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low == excluded.pair.shape[0] or excluded.pair[low] != wanted


@kernel
def add_pair(pairs, i, j):
    """Count a pair, and keep it where there is room."""
    k = pairs.count[0]
    if k < pairs.unsorted.shape[0]:
        pairs.unsorted[k, 0] = min(i, j)
        pairs.unsorted[k, 1] = max(i, j)
    pairs.count[0] = k + 1
