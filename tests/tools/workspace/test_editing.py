"""Editing files of a run's folder: what is changed, what is refused, and what cannot be reached."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.errors import ToolError
from simulator.tools.workspace import editing
from simulator.tools.workspace.folder import Workspace

TEXT = "\n".join(f"line {number}" for number in range(1, 21))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "run").mkdir()
    (tmp_path / "secret.txt").write_text("of somebody else")
    return Workspace(tmp_path / "run")


@pytest.fixture
def file(workspace: Workspace) -> Path:
    path = workspace.folder / "notes.txt"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "{run}/../secret.txt", "{run}/a/../../secret.txt", "{run}/link/secret.txt", "{run}/direct", "/"],
)
def test_nothing_outside_the_folder_is_reached(workspace: Workspace, path: str) -> None:
    (workspace.folder / "link").symlink_to("..")
    (workspace.folder / "direct").symlink_to("../secret.txt")
    with pytest.raises(ToolError) as told:
        workspace.inside(path.format(run=workspace.folder))
    assert told.value.type == "not_allowed"


@pytest.mark.parametrize("path", ["notes.txt", "", "./notes.txt", "\0", "~/x"])
def test_a_path_that_is_not_absolute_is_corrected(workspace: Workspace, path: str) -> None:
    with pytest.raises(ToolError) as told:
        workspace.inside(path)
    assert told.value.type == "invalid_input"
    assert str(workspace.folder) in told.value.message


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "\ud800"])
def test_what_no_file_can_be_called_is_told(workspace: Workspace, name: str) -> None:
    with pytest.raises(ToolError, match="is no path") as told:
        workspace.inside(f"{workspace.folder}/{name}")
    assert told.value.type == "invalid_input"


def test_links_in_a_circle_are_no_path(workspace: Workspace) -> None:
    (workspace.folder / "a").symlink_to("b")
    (workspace.folder / "b").symlink_to("a")
    with pytest.raises(ToolError):
        editing.view(workspace, workspace.inside(f"{workspace.folder}/a"), None)


def test_a_folder_that_is_a_link_itself_is_the_run_s_own(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "alias").symlink_to("real")
    workspace = Workspace(tmp_path / "alias")
    assert workspace.inside(f"{tmp_path}/alias/x") == tmp_path / "real" / "x"


def test_a_file_is_shown_with_line_numbers(workspace: Workspace, file: Path) -> None:
    assert editing.view(workspace, file, None).splitlines()[19] == "    20\tline 20"
    assert editing.view(workspace, file, [19, -1]) == "    19\tline 19\n    20\tline 20"
    assert editing.view(workspace, file, [3, 3]) == "     3\tline 3"


@pytest.mark.parametrize("wrong", [[0, 3], [3, 2], [1, 21], [1], [1, 2, 3], [21, -1]])
def test_a_wrong_range_is_told(workspace: Workspace, file: Path, wrong: list[int]) -> None:
    with pytest.raises(ToolError, match="<= 20"):
        editing.view(workspace, file, wrong)


def test_a_folder_is_shown_two_levels_deep_and_links_out_are_not_followed(workspace: Workspace) -> None:
    deep = workspace.folder / "a" / "b" / "c"
    deep.mkdir(parents=True)
    (workspace.folder / "a" / "x.txt").write_text("")
    (workspace.folder / ".hidden").write_text("")
    (workspace.folder / "out").symlink_to("..")
    shown = editing.view(workspace, workspace.folder, None).replace(str(workspace.folder), "")
    assert shown.splitlines() == ["", "/a/", "/a/b/", "/a/x.txt", "/out/"]


def test_a_long_file_is_cut_and_says_so(workspace: Workspace, file: Path) -> None:
    file.write_text("x" * 50_000)
    assert editing.view(workspace, file, None).endswith("[cut: the first 16000 of 50007 characters; use view_range]")


def test_what_is_no_text_is_told(workspace: Workspace, file: Path) -> None:
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ToolError, match="not UTF-8"):
        editing.view(workspace, file, None)
    file.write_bytes(b"x" * 1_000_001)
    with pytest.raises(ToolError, match="larger than 1000000 bytes"):
        editing.view(workspace, file, None)
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(ToolError, match="is no file"):
        editing.view(workspace, file, None)


def test_a_file_is_created_once(workspace: Workspace) -> None:
    path = workspace.folder / "new" / "notes.txt"
    editing.create(workspace, path, "hello")
    assert path.read_text() == "hello"
    with pytest.raises(ToolError, match="is there already"):
        editing.create(workspace, path, "other")
    assert path.read_text() == "hello"


def test_a_text_that_stands_once_is_replaced_and_four_lines_around_are_shown(workspace: Workspace, file: Path) -> None:
    shown = editing.replace(workspace, file, "line 10\n", "ten\nand more\n")
    assert file.read_text() == TEXT.replace("line 10\n", "ten\nand more\n")
    numbered = [line.split("\t") for line in shown.splitlines()[1:]]
    assert [int(number) for number, _ in numbered] == list(range(6, 17))
    assert [text for _, text in numbered[3:7]] == ["line 9", "ten", "and more", "line 11"]


@pytest.mark.parametrize(
    ("old", "type", "said"),
    [("line 1", "ambiguous", "11 times, in lines 1, 10, 11"), ("line 30", "not_found", "nowhere"),
     ("", "not_found", "nowhere"), ("LINE 10", "not_found", "nowhere")],
)  # fmt: skip
def test_a_text_that_does_not_stand_exactly_once_changes_nothing(
    workspace: Workspace, file: Path, old: str, type: str, said: str
) -> None:
    with pytest.raises(ToolError, match=said) as told:
        editing.replace(workspace, file, old, "x")
    assert told.value.type == type
    assert file.read_text() == TEXT
    assert not workspace.edits


def test_places_that_overlap_are_several(workspace: Workspace, file: Path) -> None:
    file.write_text("aaa")
    with pytest.raises(ToolError, match="2 times"):
        editing.replace(workspace, file, "aa", "b")


@pytest.mark.parametrize(("line", "first"), [(0, "new"), (1, "line 1"), (20, "line 1")])
def test_lines_are_inserted_behind_a_line(workspace: Workspace, file: Path, line: int, first: str) -> None:
    editing.insert(workspace, file, line, "new")
    lines = file.read_text().split("\n")
    assert (lines[0], lines[line], len(lines)) == (first, "new", 21)


def test_lines_beyond_the_end_are_refused(workspace: Workspace, file: Path) -> None:
    with pytest.raises(ToolError, match="expected 0 to 20"):
        editing.insert(workspace, file, 21, "new")


def test_changes_are_taken_back_one_by_one(workspace: Workspace) -> None:
    path = workspace.folder / "notes.txt"
    editing.create(workspace, path, "one\n")
    editing.replace(workspace, path, "one", "two")
    editing.insert(workspace, path, 1, "three")
    editing.undo(workspace, path)
    assert path.read_text() == "two\n"
    editing.undo(workspace, path)
    assert path.read_text() == "one\n"
    assert "it was new" in editing.undo(workspace, path)
    assert not path.exists()
    with pytest.raises(ToolError, match="no change"):
        editing.undo(workspace, path)


def test_what_something_else_changed_is_not_taken_back(workspace: Workspace, file: Path) -> None:
    editing.insert(workspace, file, 0, "new")
    file.write_text("by a command")
    with pytest.raises(ToolError, match="changed by something else"):
        editing.undo(workspace, file)
    assert file.read_text() == "by a command"


def test_line_ends_stay(workspace: Workspace, file: Path) -> None:
    file.write_bytes(b"one\r\ntwo\r\n")
    editing.replace(workspace, file, "two", "three")
    assert file.read_bytes() == b"one\r\nthree\r\n"


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=80), old=st.text(max_size=3), new=st.text())
def test_replacing_and_taking_back_gives_the_same_bytes(workspace: Workspace, text: str, old: str, new: str) -> None:
    path = workspace.folder / "any.txt"
    path.write_bytes(text.encode())
    try:
        editing.replace(workspace, path, old, new)
    except ToolError:
        assert path.read_bytes() == text.encode()
        return
    assert text.count(old) == 1
    editing.undo(workspace, path)
    assert path.read_bytes() == text.encode()
