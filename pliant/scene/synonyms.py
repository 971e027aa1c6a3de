"""Words that other programs and people use for the nouns of a scene, so that a message can name the one that is meant."""

SYNONYMS = {
    "cuboid": "Box", "cube": "Box", "block": "Box", "brick": "Box",
    "ball": "Sphere", "rod": "Capsule", "pill": "Capsule", "tube": "Cylinder", "disc": "Cylinder", "disk": "Cylinder",
    "plane": "Ground", "floor": "Ground", "halfspace": "Ground", "terrain": "HeightField", "heightmap": "HeightField",
    "trimesh": "Mesh", "convexhull": "Mesh", "compound": "Placed",
    "rigidbody": "Body", "link": "Body", "frame": "Site", "marker": "Site",
    "hinge": "Revolute", "pivot": "Revolute", "axle": "Revolute", "continuous": "Revolute",
    "slider": "Prismatic", "slide": "Prismatic", "rail": "Prismatic", "piston": "Prismatic",
    "weld": "Fixed", "rigid": "Fixed", "balljoint": "Spherical", "ballandsocket": "Spherical", "socket": "Spherical",
    "cardan": "Universal", "hooke": "Universal",
    "cable": "Rope", "string": "Rope", "wire": "Rope", "chain": "Rope", "cord": "Rope", "line": "Rope", "thread": "Rope",
    "tether": "Rope", "hose": "Rope",
    "fabric": "Cloth", "membrane": "Cloth", "textile": "Cloth", "grid": "Sheet",
    "softbody": "Solid", "tetmesh": "Solid", "jelly": "Solid", "deformable": "Solid",
    "damper": "Spring", "dashpot": "Spring", "torsionspring": "JointSpring", "strut": "JointSpring",
    "servo": "PositionMotor", "force": "Load", "anchor": "Pin", "urdf": "Robot", "vehicle": "Robot", "simulation": "World",
    "simulate": "World", "simulator": "World", "step": "World", "run": "World", "restore": "World",
    "viewer": "view", "show": "view",
}
"""By the word in small letters, without hyphens and underscores; a word that is a noun itself is not among them."""


def meant(word) -> str:
    """The noun that is meant by another word for it; empty where none is known."""
    return SYNONYMS.get(str(word).lower().replace("_", "").replace("-", ""), "")
