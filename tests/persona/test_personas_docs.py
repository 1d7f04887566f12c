"""The page on personas says what is so."""

import re
from pathlib import Path

import pytest

from simulator.packs.bookshop.catalogue import GENRES, catalogue
from simulator.persona import Persona, Traits, load_persona
from simulator.persona.prose import phrases
from simulator.persona.tasks import task_types

PAGE = (Path(__file__).parents[2] / "docs" / "personas.md").read_text(encoding="utf-8")


def test_the_example_is_a_persona(tmp_path):
    example, of_things = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "example.yaml"
    path.write_text(example, encoding="utf-8")
    assert load_persona(path).persona == "collector"
    path.write_text(f"persona: asker\nabout: Asks.\nlocale: en_GB\n{of_things}", encoding="utf-8")
    assert [getattr(task, "thing", "ticket") for task in load_persona(path).tasks] == ["ticket"] * 5


def test_the_python_example_runs(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    folder = Path(__file__).parents[2] / "personas"
    exec(compile(example.replace('"personas"', repr(str(folder))), "docs/personas.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 20


@pytest.mark.parametrize("name", [*Persona.model_fields, *Traits.model_fields, *task_types()])
def test_every_field_trait_and_task_is_explained(name):
    assert f"`{name}`" in PAGE


def test_figures_and_lists_are_right():
    assert f"catalogue of {len(catalogue())} titles" in PAGE
    assert ", ".join(GENRES) in PAGE.replace("\n", " ")
    for language in ("fr", "de", "es", "it", "pt", "nl", "ja"):
        assert phrases(language) != phrases("en")
