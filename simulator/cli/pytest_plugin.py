"""The pytest plugin: a test for each recorded run, and a fixture that replays. Not responsible for: how.

Runs are collected from the recordings in a folder named ``recordings``, and from recordings that are named on pytest's
command line. A test is performed by fresh users; the marker ``sim_identity("same")`` has the recorded ones perform it,
on a site that is reset first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from simulator.config import Site
    from simulator.recording.rows import RunRow
    from simulator.replay.plan import IdentityPolicy
    from simulator.runner.events import ReplayResult

_MARKER = "sim_identity"


class ReplayDrifted(AssertionError):
    """A replay did not pass."""

    def __init__(self, result: ReplayResult) -> None:
        from simulator.report.follow_up import FollowUp
        from simulator.report.replay_summary import replay_lines

        self.result = result
        super().__init__("\n".join(replay_lines(result, FollowUp())))


class NotProven(AssertionError):
    """No second performance of a run has shown the same effects."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("simulator", "recorded synthetic users")
    group.addoption("--sim-mode", choices=["strict"], default="strict", help="how recorded runs are replayed")
    group.addoption("--sim-site", metavar="NAME", help="section of sim.toml to replay on; by default the recorded one")
    group.addoption("--sim-base-url", metavar="URL", help="replay on the site at another address")
    group.addoption("--require-proven", action="store_true", help="fail recorded runs that 'sim prove' has not proven")
    group.addoption("--sim-headed", action="store_true", help="show the browser's windows")


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker."""
    config.addinivalue_line("markers", f"{_MARKER}(policy): who performs a run: 'fresh' (default), 'same' or 'reuse'")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> RecordingFile | None:
    """Collect recordings."""
    if file_path.suffix != ".db":
        return None
    if not parent.session.isinitpath(file_path):
        from simulator.config import load_settings

        if file_path.parent.name != "recordings" or file_path == load_settings().recording.db.absolute():
            return None
    recording: RecordingFile = RecordingFile.from_parent(parent, path=file_path)
    return recording


class RecordingFile(pytest.File):
    """A recording."""

    def collect(self) -> Iterator[RecordedRunItem]:
        """Give a test for each recorded run."""
        from simulator.errors import RecordingError
        from simulator.recording.reader import Recording
        from simulator.recording.revise import newest

        try:
            with Recording.open(self.path) as recording:
                runs = sorted(newest(recording.runs()).values(), key=lambda run: (run.batch_id, run.number))
        except RecordingError as error:
            raise self.CollectError(str(error)) from error
        for run in runs:
            name = f"{run.persona or 'run'}-{run.number}-{run.id[-8:]}"
            item: RecordedRunItem = RecordedRunItem.from_parent(self, name=name, run=run)
            yield item


class RecordedRunItem(pytest.Item):
    """A recorded run, with the runs that it depends on."""

    def __init__(self, *, run: RunRow, **more: Any) -> None:
        super().__init__(**more)
        self.run = run

    def runtest(self) -> None:
        """Replay it."""
        from simulator.scratch import scratch_folder

        if self.config.getoption("--require-proven") and not self.run.proven:
            raise NotProven(
                f"the run {self.run.id} of {self.path.name} is not proven: perform it once more with "
                f"'sim prove {self.run.id} --source {self.path}', and commit the revision that it writes"
            )

        marker = self.get_closest_marker(_MARKER)
        policy: IdentityPolicy = marker.args[0] if marker and marker.args else "fresh"
        if policy not in ("same", "fresh", "reuse"):
            raise pytest.UsageError(f"{_MARKER} takes 'same', 'fresh' or 'reuse', not {policy!r}")
        with scratch_folder() as folder:
            site = _site(self.config, self.run.site, folder)
            result = _replay(self.config, site, self.path, self.run.id, policy, reset=policy == "same")
        self.user_properties.append(("sim_batch", result.batch_id))
        if not result.passed:
            raise ReplayDrifted(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show a drift, and what the program says of itself, without a traceback."""
        from simulator.errors import SimulatorError

        if isinstance(excinfo.value, ReplayDrifted | NotProven | SimulatorError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Say where it stands."""
        return self.path, None, f"{self.path.name}: {self.name}"


@pytest.fixture
def sim_site(pytestconfig: pytest.Config, tmp_path: Path) -> Site:
    """The section of sim.toml that is replayed on; the bundled bookshop has a database of the test's own."""
    return _site(pytestconfig, None, tmp_path)


@pytest.fixture
def sim_replay(pytestconfig: pytest.Config, sim_site: Site) -> Callable[..., ReplayResult]:
    """A function that replays a recording and fails the test where that drifts.

    Its arguments: ``source``, a recording; ``target``, a run or batch by its id, or ``all``; ``identity``, ``fresh`` or
    ``same``; ``reset``, whether the site is reset first. It gives the :class:`~simulator.runner.events.ReplayResult`.
    """

    def replay(
        source: Path | str, target: str = "all", *, identity: IdentityPolicy = "fresh", reset: bool = False
    ) -> ReplayResult:
        result = _replay(pytestconfig, sim_site, Path(source), target, identity, reset=reset)
        if not result.passed:
            raise ReplayDrifted(result)
        return result

    return replay


def _site(config: pytest.Config, recorded: str | None, folder: Path) -> Site:
    from simulator.config import load_settings

    site = load_settings().site(config.getoption("--sim-site") or recorded)
    if base_url := config.getoption("--sim-base-url"):
        return site.with_base_url(base_url)
    return site.model_copy(update={"database": folder / "bookshop.db"}) if site.bundled else site


def _replay(
    config: pytest.Config, site: Site, source: Path, target: str, identity: IdentityPolicy, *, reset: bool
) -> ReplayResult:
    from simulator.config import load_settings
    from simulator.runner.replays.options import ReplayOptions
    from simulator.runner.replays.replaying import replay
    from simulator.runner.stop import Stop

    settings = load_settings()
    options = ReplayOptions(
        settings=settings,
        site=site,
        source=source,
        target=target,
        identity=identity,
        mode=config.getoption("--sim-mode"),
        db=settings.recording.db,
        reset=reset,
        headed=config.getoption("--sim-headed") or settings.browser.headed,
        screenshots=settings.run.screenshots,
        argv=("pytest", str(source)),
    )
    return asyncio.run(replay(options, lambda event: None, Stop()))
