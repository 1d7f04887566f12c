"""The shell of a workspace: kept between commands, bounded in time and output, and gone with all it started."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from simulator.errors import ToolError
from simulator.tools.workspace.folder import Workspace
from simulator.tools.workspace.shell import OUTPUT_LIMIT, Shell


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def gone(pid: int) -> bool:
    """Wait until a process has ended."""
    deadline = time.monotonic() + 5
    while alive(pid):
        if time.monotonic() > deadline:
            return False
        os.sched_yield()
    return True


async def test_folder_variables_and_functions_stay(workspace: Workspace) -> None:
    run = workspace.shell.run
    await run('mkdir sub; cd sub; word=hello; export OTHER=there; greet() { echo "$1!"; }')
    ran = await run('pwd; echo "$word $OTHER"; greet you')
    assert ran.output.text == f"{workspace.folder}/sub\nhello there\nyou!\n"
    assert (ran.exit_code, ran.ended) == (0, False)


async def test_exit_codes_and_both_outputs_are_told(workspace: Workspace) -> None:
    ran = await workspace.shell.run("echo out; echo err >&2; (exit 7)")
    assert (ran.output.text, ran.error.text, ran.exit_code) == ("out\n", "err\n", 7)
    assert (await workspace.shell.run("true")).exit_code == 0


@pytest.mark.parametrize(
    ("command", "code"), [("echo 'open", 1), ("if true", 2), ("no_such_program_here", 127), ("cat nothing", 1)]
)
async def test_a_wrong_command_leaves_the_shell_as_it_was(workspace: Workspace, command: str, code: int) -> None:
    await workspace.shell.run("kept=1")
    ran = await workspace.shell.run(command)
    assert (ran.exit_code > 0, ran.ended) == (True, False)
    assert ran.error.text
    assert (await workspace.shell.run("echo $kept")).output.text == "1\n"


async def test_standard_input_is_empty(workspace: Workspace) -> None:
    ran = await workspace.shell.run('cat; read line; echo "[$line]"')
    assert ran.output.text == "[]\n"


async def test_output_cannot_pass_for_the_mark(workspace: Workspace) -> None:
    ran = await workspace.shell.run("set -x; printf '\\036%032d 0\\036' 0; set +x; exec >/dev/null; echo lost")
    assert "0" * 32 in ran.output.text
    assert ran.exit_code == 0
    assert (await workspace.shell.run("echo more >&2")).error.text == "more\n"


async def test_ten_megabytes_are_cut_in_the_middle(workspace: Workspace) -> None:
    ran = await workspace.shell.run(
        "echo first; head -c 10000000 /dev/zero | tr '\\0' x; echo; echo last; exit_code=3; (exit 3)"
    )
    assert ran.exit_code == 3
    assert ran.output.text.startswith("first\nxxx")
    assert ran.output.text.endswith("xxx\nlast\n")
    assert ran.output.cut == 10_000_000 + len("first\n\nlast\n") - OUTPUT_LIMIT
    assert f"[cut: {ran.output.cut} bytes]" in ran.output.text
    assert len(ran.output.text) < OUTPUT_LIMIT + 100


async def test_a_long_error_output_does_not_block(workspace: Workspace) -> None:
    ran = await workspace.shell.run("head -c 3000000 /dev/zero >&2; head -c 3000000 /dev/zero")
    assert ran.error.cut == ran.output.cut == 3_000_000 - OUTPUT_LIMIT


async def test_a_hanging_command_is_stopped_and_a_new_shell_begun(workspace: Workspace) -> None:
    shell = Shell(workspace.folder, timeout_s=3)
    with pytest.raises(ToolError) as told:
        await shell.run("kept=1; echo before; sleep 987")
    assert told.value.type == "timeout"
    assert "after 3 s" in told.value.message
    assert "before" in told.value.message
    assert (await shell.run('echo "[$kept]"')).output.text == "[]\n"
    await shell.close()


async def test_a_shell_that_exits_says_so_and_is_begun_anew(workspace: Workspace) -> None:
    ran = await workspace.shell.run("echo bye; sleep 987 & exit 5")
    assert (ran.output.text, ran.exit_code, ran.ended) == ("bye\n", 5, True)
    assert (await workspace.shell.run("echo again")).output.text == "again\n"
    killed = await workspace.shell.run("kill -9 $$")
    assert (killed.exit_code, killed.ended) == (137, True)


@pytest.mark.parametrize(
    "start",
    [
        "sleep 987 & echo $!",
        "setsid sleep 987 >/dev/null 2>&1 & echo $!",
        "(setsid nohup sleep 987 >/dev/null 2>&1 & echo $!)",
        "trap '' TERM HUP INT; sleep 987 & echo $!",
        "env -i setsid bash -c 'sleep 987 & echo $!' 2>/dev/null",
    ],
)
async def test_nothing_that_was_started_outlives_the_workspace(workspace: Workspace, start: str) -> None:
    pid = int((await workspace.shell.run(start)).output.text)
    assert alive(pid)
    await workspace.shell.close()
    assert gone(pid)


async def test_a_command_that_kills_its_keeper_leaves_nothing(workspace: Workspace) -> None:
    ran = await workspace.shell.run("setsid sleep 987 & echo $!; kill -9 $PPID; sleep 987")
    assert ran.ended
    assert gone(int(ran.output.text))


def test_nothing_outlives_a_program_that_is_killed(tmp_path: Path) -> None:
    script = (
        "import asyncio, os, signal, pathlib\n"
        "from simulator.tools.workspace.folder import Workspace\n"
        "async def main():\n"
        "    async with Workspace(pathlib.Path('.')) as workspace:\n"
        "        ran = await workspace.shell.run('setsid sleep 987 & echo $! $$ $PPID')\n"
        "        print(ran.output.text, flush=True)\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.PIPE, check=False,
    )  # fmt: skip
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) == 3
    assert all(gone(pid) for pid in pids)


async def test_the_environment_is_clean(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not to be seen")
    monkeypatch.setenv("SIM_KEY", "not to be seen either")
    ran = await workspace.shell.run("env; cat /proc/$PPID/environ | tr '\\0' '\\n'")
    names = {line.partition("=")[0] for line in ran.output.text.splitlines()}
    assert names == {"PATH", "HOME", "TMPDIR", "LANG", "TERM", "SIM_SHELL", "PWD", "SHLVL", "_"}
    assert "not to be seen" not in ran.output.text
    assert f"HOME={workspace.folder}" in ran.output.text
    assert re.search(r"^TERM=dumb$", ran.output.text, re.MULTILINE)


async def test_descriptors_of_this_program_are_not_handed_on(workspace: Workspace) -> None:
    with (workspace.folder / "held").open("w") as held:
        os.set_inheritable(held.fileno(), True)
        ran = await workspace.shell.run("ls -l /proc/self/fd")
    assert "held" not in ran.output.text
