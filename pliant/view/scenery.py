"""Light, shadow, sky and the look of the page."""

import numpy as np
import viser

from .palette import SKY_LOW, SKY_TOP

ACCENT = (38, 110, 175)


def set_scenery(server: viser.ViserServer, title: str) -> None:
    """Sun with shadows, soft light from all around, a pale sky; nothing is fetched from outside."""
    scene = server.scene
    scene.set_up_direction("+z")
    scene.configure_default_lights(enabled=False)
    scene.configure_environment_map("studio", background=False, environment_intensity=0.32)
    scene.add_light_directional("/sun", color=(255, 246, 232), intensity=1.7, cast_shadow=True,
                                position=(-4.0, -5.0, 9.0))
    scene.add_light_directional("/fill", color=(205, 222, 255), intensity=0.3, position=(6.0, 4.0, 3.0))
    scene.set_background_image(sky(), format="png")
    server.gui.configure_theme(control_width="medium", dark_mode=False, show_logo=False, show_share_button=False,
                               brand_color=ACCENT)
    server.gui.main_panel.dock_right()
    server.gui.set_panel_label(title)


def sky(rows: int = 256) -> np.ndarray:
    """A vertical ramp of colour (rows, 4, 3) of bytes, pale where the horizon is."""
    ramp = np.clip(np.linspace(0.0, 2.2, rows), 0.0, 1.0)[:, None] ** 0.8
    colors = (1.0 - ramp) * np.array(SKY_TOP) + ramp * np.array(SKY_LOW)
    return np.repeat(np.round(255.0 * colors).astype(np.uint8)[:, None], 4, axis=1)
