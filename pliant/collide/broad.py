"""Which bounded shapes are near each other: a packed tree of boxes along a space-filling curve.

The shapes are sorted by the Morton code of their middles (their order is kept, so that the sort finds it nearly
done), four neighbours make a node, four nodes the next one, up to a single root. Any order gives the same pairs; a good
one only makes the tree tight. The work grows as n log n whatever the sizes of the shapes and however they are spread.
"""

from .._jit import kernel
from ..math.vec3 import load
from ..model.bodies import DYNAMIC


@kernel
def build_tree(bodies, shapes, places, tree):
    """Writes: tree"""
    n = tree.order.shape[0]
    tree.first[0] = 0
    if n == 0:
        return
    _codes(places, tree)
    _sort(tree.order, tree.code)
    for k in range(n):
        i = tree.order[k]
        tree.fixed[k] = 0 if bodies.kind[shapes.body[i]] == DYNAMIC else 1
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
    tree.fixed[node] = 0
    for child in range(first, last):
        tree.fixed[node] |= tree.fixed[child]
    for c in range(3):
        low, high = tree.lower[first, c], tree.upper[first, c]
        for child in range(first + 1, last):
            low = min(low, tree.lower[child, c])
            high = max(high, tree.upper[child, c])
        tree.lower[node, c] = low
        tree.upper[node, c] = high


@kernel
def _codes(places, tree):
    """Place of every shape on the Morton curve: ten bits of each coordinate of its middle, interleaved; cubic cells."""
    n = tree.order.shape[0]
    least, widest = (0.0, 0.0, 0.0), 1e-9
    for c in range(3):
        low, high = 1e300, -1e300
        for k in range(n):
            i = tree.order[k]
            middle = places.lower[i, c] + places.upper[i, c]
            low, high = min(low, middle), max(high, middle)
        least = low if c == 0 else least[0], low if c == 1 else least[1], low if c == 2 else least[2]
        widest = max(widest, high - low)
    per_metre = 1023.0 / widest
    for k in range(n):
        i = tree.order[k]
        code = 0
        for c in range(3):
            cell = int((places.lower[i, c] + places.upper[i, c] - least[c]) * per_metre)
            code |= _spread(min(max(cell, 0), 1023)) << c
        tree.code[k] = code


@kernel
def _spread(cell):
    """The ten bits of a number, two zeros between each."""
    cell = (cell | (cell << 16)) & 0x30000FF
    cell = (cell | (cell << 8)) & 0x300F00F
    cell = (cell | (cell << 4)) & 0x30C30C3
    return (cell | (cell << 2)) & 0x9249249


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
    """Every pair of bounded shapes whose boxes overlap and that may touch. Writes: pairs, tree.stack

    Each dynamic shape looks for all immovable ones and for the dynamic ones that come after it in the order.
    """
    if tree.order.shape[0] == 0:
        return
    root = tree.first[31]
    for k in range(tree.order.shape[0]):
        i = tree.order[k]
        if bodies.kind[shapes.body[i]] == DYNAMIC:
            for hit in range(_search(tree, k, root, load(tree.lower, k), load(tree.upper, k), pairs)):
                j = tree.order[tree.hit[hit]]
                if may_touch(bodies, shapes, excluded, i, j):
                    add_pair(pairs, i, j)


@kernel
def _search(tree, k, root, low, high, pairs):
    """Leaves whose boxes meet the box (low, high) of leaf `k`; their number.

    Writes: tree.hit, tree.stack, pairs.count
    """
    first, lower, upper, fixed, stack, hit = tree.first, tree.lower, tree.upper, tree.fixed, tree.stack, tree.hit
    found, tests, top, level = 0, 0, 1, root
    stack[0] = first[root]
    while top > 0:
        top -= 1
        node = stack[top]
        while node >= first[level + 1]:
            level += 1
        while node < first[level]:
            level -= 1
        begin = first[level - 1] + 4 * (node - first[level])
        for child in range(begin, min(begin + 4, first[level])):
            last_leaf = ((child - first[level - 1] + 1) << (2 * (level - 1))) - 1
            if last_leaf <= k and fixed[child] == 0:
                continue
            tests += 1
            if (
                lower[child, 0] <= high[0]
                and low[0] <= upper[child, 0]
                and lower[child, 1] <= high[1]
                and low[1] <= upper[child, 1]
                and lower[child, 2] <= high[2]
                and low[2] <= upper[child, 2]
            ):
                if level > 1:
                    stack[top] = child
                    top += 1
                else:
                    hit[found] = child
                    found += 1
    pairs.count[4] += tests
    return found


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
