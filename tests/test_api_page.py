"""The page of names and `help`: they say what the source says of every field. Oracle: the source, and Python's own pydoc."""

import importlib.util
import pydoc
import sys
from pathlib import Path

import msgspec
import pytest

import pliant as pl
from pliant.report import Report
from pliant.scene.files.registry import nouns
from pliant.scene.noun import field_texts

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def tool(monkeypatch):
    """The tool that writes the page, as a module."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    spec = importlib.util.spec_from_file_location("api_page", ROOT / "tools" / "api_page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date_and_a_stale_one_is_found(tool, monkeypatch, tmp_path, capsys):
    assert tool.main(["--check"]) == 0
    (tmp_path / "api.md").write_text(tool.PAGE.read_text() + "\nMore.\n")
    monkeypatch.setattr(tool, "PAGE", tmp_path / "api.md")
    assert tool.main(["--check"]) == 1 and "out of date" in capsys.readouterr().out


def test_a_public_name_without_a_place_or_a_text_is_found(tool, monkeypatch, capsys):
    monkeypatch.setattr(pl, "__all__", [*pl.__all__, "Report"])
    assert tool.main(["--check"]) == 1 and "differ in Report" in capsys.readouterr().err
    monkeypatch.undo()
    monkeypatch.setitem(tool.BESIDE, "Running", {"x": type("Mute", (), {"__module__": "pliant.x", "say": lambda self: None})})
    assert tool.main(["--check"]) == 1 and "Mute.say" in capsys.readouterr().err


def test_help_shows_every_field_of_every_noun():
    """pydoc prints what `help` prints; each field's text stands there, and its default where it has one."""
    for name, cls in nouns().items():
        said = " ".join(pydoc.plain(pydoc.render_doc(cls)).replace("|", " ").split())
        texts = {field.name: field for field in field_texts(cls)}
        assert list(texts) == list(cls.__struct_fields__), name
        for field in msgspec.structs.fields(cls):
            told = texts[field.name]
            assert told.text and " ".join(told.text.replace("|", " ").split()) in said, f"{name}.{field.name}"
            assert (told.default is None) == field.required, f"{name}.{field.name}"
    assert "Full length along x [m]." in pl.Box.__doc__ and "Kelvin-Voigt time [s]" in pl.Rope.__doc__


def test_help_shows_what_a_report_means():
    for field in Report._fields:
        assert f"\n    {field}: " in Report.__doc__
    assert "False is the rule and no fault" in Report.__doc__


def test_all_names_can_be_had():
    assert all(hasattr(pl, name) for name in pl.__all__) and set(pl.__all__) <= set(dir(pl))


@pytest.mark.parametrize(("make", "said"), [
    (lambda: pl.Box(sise=(1, 1, 1)), "Box: it has no field 'sise'. There are: x, y, z."),
    (lambda: pl.Body("cart", pl.Sphere(1), postion=0), "Body 'cart': it has no field 'postion'. Did you mean 'position'?"),
    (lambda: pl.Rope(name="tow", Radius=1), "Rope 'tow': it has no field 'Radius'. Did you mean 'radius'?"),
    (lambda: pl.Box(1, 2, 3, 4), "Box: 4 values are given, but it has 3 fields: x, y, z."),
    (lambda: pl.Box(1, 2, x=3), "Box: x is given twice, by its place and by its name; leave one of them out."),
    (lambda: pl.Sphere(), "Sphere: it needs radius; its fields are radius."),
    (lambda: pl.Latch("l", hold=1), "Latch 'l': it needs joint and at; its fields are name, joint, at, hold."),
    (lambda: pl.Sphere(1).replace(radios=2), "Sphere: it has no field 'radios'. Did you mean 'radius'?"),
])
def test_fields_that_are_given_wrongly_get_a_sentence(make, said):
    with pytest.raises(pl.SceneError) as wrong:
        make()
    assert str(wrong.value) == said


def test_a_mistake_inside_a_noun_stays_what_it_is():
    """A TypeError that fields are not to blame for is not turned into a word about fields."""
    def wrong(rest):
        raise TypeError("mine")

    with pytest.raises(TypeError, match="mine"):
        pl.Cloth("c", pl.Sheet(1, 1, 0.5), thickness=0.01).vertices(wrong)
