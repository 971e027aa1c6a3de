"""Ropes of rigid links: each link folded into the next by 3 x 3 matrices, as part of the trees of joints."""
