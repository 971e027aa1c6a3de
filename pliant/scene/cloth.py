"""Cloth and shells: surfaces of triangles or patches with a thickness, and the wind that blows on them."""

from pathlib import Path

import numpy as np

from .errors import SceneError, fail, number, shown, truth, vector
from .material import STIFFEST, Material, stretches
from .patch import PatchMesh
from .shape import Mesh
from .soft import Soft
from .thing import Part, Quaternion, Signal, Thing, Vector, signal

MOST_SQUARES = 1_000_000


class Sheet(Part, frozen=True):
    """A flat rectangle in the plane z = 0 around the origin, cut into squares of two triangles."""

    x: float
    """Full length [m]."""
    y: float
    """Full length [m]."""
    spacing: float
    """About the width of a square [m]; the sides are divided into whole numbers of them."""

    def __post_init__(self) -> None:
        self._set(**{field: number(self, field, getattr(self, field), "m", above=0.0) for field in ("x", "y", "spacing")})
        if self.spacing > (1.0 + 1e-9) * max(self.x, self.y):
            raise fail(self, f"spacing is {self.spacing:g} m, but the sheet is {self.x:g} by {self.y:g} m; give the width of a "
                             "square, not their number.")
        across, along = self.counts
        if across * along > MOST_SQUARES:
            raise fail(self, f"spacing {self.spacing:g} m makes {across * along:.3g} squares; take at most {MOST_SQUARES}.")

    @property
    def counts(self) -> tuple[int, int]:
        """Squares along x and y."""
        return max(1, round(self.x / self.spacing)), max(1, round(self.y / self.spacing))

    def triangles(self) -> tuple[np.ndarray, np.ndarray]:
        """Vertices [m] (n, 3), those of one x side by side, and triangles (m, 3), seen counter-clockwise from +z.

        Diagonals change from square to square, so that no direction is preferred.
        """
        across, along = self.counts
        xs, ys = np.linspace(-0.5 * self.x, 0.5 * self.x, across + 1), np.linspace(-0.5 * self.y, 0.5 * self.y, along + 1)
        points = np.stack(np.meshgrid(xs, ys, [0.0], indexing="ij"), axis=-1).reshape(-1, 3)
        i, j = (a.ravel() for a in np.indices((across, along)))
        a, b = i * (along + 1) + j, (i + 1) * (along + 1) + j
        c, d = b + 1, a + 1
        odd = ((i + j) % 2 == 1)[:, None]
        one = np.where(odd, np.stack([a, b, c], -1), np.stack([a, b, d], -1))
        two = np.where(odd, np.stack([a, c, d], -1), np.stack([b, c, d], -1))
        return points, np.stack([one, two], axis=1).reshape(-1, 3).astype(np.int32)


class Cloth(Soft, frozen=True):
    """A surface that stretches and bends."""

    mesh: Sheet | Mesh | PatchMesh
    """Triangles: a Sheet, (vertices (n, 3) [m], faces (m, 3)), a mesh file, a trimesh, or patches; own frame."""
    thickness: float
    """[m]; half of it stands out on either side."""
    material: Material | str = "cotton"
    """A Material or a preset's name; Poisson's ratio from 0 to below 0.5, by method "newton" from above -1."""
    pressure: float = 0.0
    """Of what it is filled with, above that outside [Pa]; for closed surfaces."""
    volume: float = 0.0
    """How its filling resists a change of the volume inside, relief included: bulk modulus [Pa], of air 1.4e5; if closed."""
    self_contact: bool = True
    """Whether it touches itself."""
    method: str = "projective"
    """"projective" (paper D), "quasi-newton", "position", "jacobi" or "newton"."""
    iterations: int = 10
    """Of the method in each substep, at most."""
    bend: float | None = None
    """Bending stiffness of the sheet [N m]; that of a plate of the material if not given."""
    strain: tuple[float, float] | None = None
    """The range (low, high) of stretches [-] within which it does not resist being stretched or pressed, areas likewise from
    low² to high²; the material's if not given."""
    position: Vector = (0.0, 0.0, 0.0)
    """Of its own frame at the start [m], world frame."""
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """Own frame to world (w, x, y, z), unit."""
    velocity: Vector = (0.0, 0.0, 0.0)
    """Of all vertices at the start [m/s], world frame."""
    friction: float = 0.5
    """Coulomb [-]; between two things the larger counts."""
    collide: bool = True
    """Whether it touches bodies, the ground and other soft things."""
    color: Vector | None = None
    """Red, green, blue, each 0 to 1."""

    def __post_init__(self) -> None:
        self._set(mesh=_mesh(self, self.mesh))
        self._check_common()
        self._set(thickness=number(self, "thickness", self.thickness, "m", above=0.0),
                  pressure=number(self, "pressure", self.pressure, "Pa"),
                  volume=number(self, "volume", self.volume, "Pa", least=0.0),
                  self_contact=truth(self, "self_contact", self.self_contact))
        if self.strain is not None:
            self._set(strain=stretches(self, "strain", self.strain))
        if self.bend is not None:
            self._set(bend=number(self, "bend", self.bend, "N m", least=0.0, most=STIFFEST))
        self.__dict__["_surface"] = _surface(self)
        extent = float(np.ptp(self.rest, axis=0).max())
        if self.thickness > extent:
            raise fail(self, f"thickness is {self.thickness:g} m, but its mesh is at most {extent:g} m long; what is as thick "
                             "as that is a Solid.")
        if self.pressure != 0.0 and not self.closed:
            raise fail(self, f"pressure is {self.pressure:g} Pa, but its mesh is open; only a closed one can be filled: "
                             "close it, or leave pressure out.")
        if self.volume != 0.0 and not self.closed:
            raise fail(self, f"volume is {self.volume:g} Pa, but its mesh is open; only a closed one can be filled: "
                             "close it, or leave volume out.")
        if self.pressure != 0.0 or self.volume != 0.0:
            self._turn_outwards()
        if self.volume != 0.0 and self.method == "jacobi":
            raise fail(self, "volume is given, but 'jacobi' does not do fillings; take 'projective' or 'quasi-newton'.")

    def _turn_outwards(self) -> None:
        """What fills a closed surface is on the inner side of its triangles: turn them round where all of them look inwards."""
        corner = self.rest[self.faces] - self.rest.mean(axis=0)
        if float(np.einsum("fi,fi->", np.cross(corner[:, 0], corner[:, 1]), corner[:, 2])) >= 0.0:
            return
        if isinstance(self.mesh, PatchMesh):
            raise fail(self, "its patches look inwards, so that what fills it would be outside; turn them round (give the "
                             "corners of each the other way about).")
        self.__dict__["_surface"] = (self.rest, np.ascontiguousarray(self.faces[:, ::-1]))

    @property
    def rest(self) -> np.ndarray:
        """Vertices without load [m] (n, 3), own frame."""
        return self.__dict__["_surface"][0]

    @property
    def faces(self) -> np.ndarray:
        """Triangles (m, 3), turned outwards where it is filled."""
        return self.__dict__["_surface"][1]

    @property
    def closed(self) -> bool:
        """Whether it has an inside."""
        from ..compile.closed_surface import is_closed

        return is_closed(self.faces)


class Wind(Thing, frozen=True):
    """Moving air, the same everywhere; it drags at the triangles of all cloth. Several winds add up.

    A triangle of area A [m2] feels rho/2 A (c_n |u_n| u_n + c_t |u| u_t) [N], with u the wind less its own velocity [m/s], u_n
    what of that is across the triangle, u_t along it; rho = 1.2 kg/m3 of air, c_n = 1.2, c_t = 0.02.
    """

    velocity: Vector
    """[m/s], world frame; zero is still air."""
    gust: float = 0.0
    """How much its speed comes and goes, at most, as a share of it [-]; the same in every run."""
    scale: Signal = 1.0
    """What multiplies the velocity: a number, a control's name, or weights of controls [-]."""

    def __post_init__(self) -> None:
        self._check_name()
        self._set(velocity=vector(self, "velocity", self.velocity), gust=number(self, "gust", self.gust, least=0.0, most=1.0),
                  scale=signal(self, "scale", self.scale))

    def at(self, time: float) -> np.ndarray:
        """Velocity [m/s] (3,) at `time` [s], with scale 1: three sines whose periods never meet."""
        waves = np.sin(2.0 * np.pi * time / np.array([1.7, 0.73, 0.31]) + np.array([0.0, 1.0, 2.0]))
        return (1.0 + self.gust * waves.sum() / 3.0) * np.array(self.velocity)


def _mesh(thing: Soft, given) -> Sheet | Mesh | PatchMesh:
    """What a user gives as one of three nouns; patches without the cells and the vertices inside them."""
    if isinstance(given, PatchMesh) and given.cells is not None:
        used, faces = np.unique(given.faces, return_inverse=True)
        return PatchMesh(given.vertices[used], faces.reshape(-1, 3), given.quadrics, given.shares)
    if isinstance(given, (Sheet, Mesh, PatchMesh)):
        return given
    if hasattr(given, "vertices") and hasattr(given, "faces"):
        given = (np.asarray(given.vertices, float), np.asarray(given.faces))
    if not isinstance(given, (str, Path, tuple, list)):
        raise fail(thing, f"mesh is {shown(given)}; it must be a Sheet, (vertices (n, 3), faces (m, 3)), a mesh file, a "
                          "trimesh or a PatchMesh.")
    try:
        return Mesh(given)
    except SceneError as error:
        raise fail(thing, str(error).replace("Mesh: source", "mesh", 1)) from None


def _surface(thing: Cloth) -> tuple[np.ndarray, np.ndarray]:
    """Vertices [m] (n, 3) and faces (m, 3), checked: no degenerate triangle, no edge of three, all turned one way."""
    from ..patch.build import triangle_mesh
    from ..patch.surface import surface_of

    mesh = thing.mesh
    try:
        if isinstance(mesh, PatchMesh):
            surface_of(mesh)
            vertices, faces = mesh.vertices, mesh.faces
        elif isinstance(mesh, Sheet):
            vertices, faces = mesh.triangles()
        else:
            vertices, faces = mesh.source if isinstance(mesh.source, tuple) else triangle_mesh(mesh.source)
            plain = PatchMesh(mesh.scale * vertices, faces)
            vertices, faces = plain.vertices, plain.faces
    except SceneError as error:
        raise fail(thing, f"its mesh cannot be used: {str(error).removeprefix('PatchMesh: ')}") from None
    unused = np.flatnonzero(np.bincount(faces.ravel(), minlength=len(vertices)) == 0)
    if len(unused):
        raise fail(thing, f"vertex {unused[0]} of its mesh belongs to no triangle ({len(unused)} such vertices); leave it out.")
    return np.ascontiguousarray(vertices), np.ascontiguousarray(faces, np.int32)
