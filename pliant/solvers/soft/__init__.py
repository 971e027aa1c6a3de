"""What all solvers of cloth and solids share: the elements' projections, forces and energies, the ports of vertices."""
