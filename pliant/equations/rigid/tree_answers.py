"""How a pull on one body of a tree of joints is answered along another: by the way towards the root alone.

tree_elimination.py factors the system of bodies and joints as L D L^T, D = 1 for the numbers of a body and -1 for those of a
joint's rows. Going from the leaves to the root, an impulse f on body b becomes, at each body and joint on its way,

    z = L_b^-1 f,    c = -C^-1 Y^T z,    f of the inner body = P^T c

which is L^-1 f; off its way all is zero. How two impulses f and g answer each other, W = f^T A g with A as in
loop_closure.py, is then the sum over all bodies and joints that both ways have in common of

    z(f) . z(g) - c(f) . c(g)

No way back is needed, and the two ways meet near the root only.

Source: [Baraff1996] the factor of the sparse system; the product of two half-solved right sides is ours
Check: tests/equations/test_tree_answers.py
"""

from ..._jit import kernel
from .tree_elimination import dot6


@kernel
def common_answer(z, y, c, d):
    """What one body, with halves `z` and `y`, and the joint towards the root, with `c` and `d`, add to W [1/kg]."""
    return dot6(z, y) - dot6(c, d)
