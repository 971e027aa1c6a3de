"""How a pull on one body of a tree of joints is answered along another: by the way towards the root alone.

On the way from body b to the root that tree_elimination.py takes, an impulse f on b becomes, at each body and joint,

    t = -K^T f,    f of the inner body = Q^T t

off its way all is zero. The system of bodies and joints is thereby factored, with the blocks D_b of bodies and -S of joints on
its diagonal. How two impulses f and g answer each other, W = f^T A g with A as in loop_closure.py, is then the sum over all
bodies and joints that both ways have in common of

    f . D_b^-1 g - t(f) . S^-1 t(g)

No way back is needed, and the two ways meet near the root only.

Source: [Baraff1996] the factor of the sparse system; the sum over the way in common is ours
Check: tests/equations/test_tree_answers.py
"""

from ..._jit import kernel
from .tree_elimination import dot6


@kernel
def common_answer(f, answer, t, push):
    """What one body, pulled by `f` and answering a pull by `answer`, and the joint towards the root, which lacks `t` and pushes
    against the other pull by `push`, add to W [1/kg]."""
    return dot6(f, answer) - dot6(t, push)
