"""What one user of a batch acts with: its secrets, its variables, its folder, its browsers, and what its tools see.

Whoever performs a run has it from here: recording, resume, going on, replay, repair, verification and trial.
"""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.bindings import Bindings
from simulator.browser.acting.again import EvidenceRule
from simulator.browser.acting.pace import Pacer
from simulator.browser.action_recorder import ActionRecorder
from simulator.browser.launch.determinism import Stillness
from simulator.browser.launch.pool import ContextProfile
from simulator.browser.launch.third_parties import ThirdParties
from simulator.browser.wire.traffic import Traffic
from simulator.browser.wire.withheld import Withheld
from simulator.domain.data.drawing import draw_picture
from simulator.errors import ConfigError
from simulator.persona import Identity, dealt_files, draw_variable
from simulator.recording.run_recorder import RunRecorder
from simulator.runner.surroundings.resources import Resources
from simulator.runner.surroundings.session import Session
from simulator.secrets import Vault
from simulator.tools.context import Journal, RunContext
from simulator.tools.registry import Registry

if TYPE_CHECKING:
    from simulator.tools.mail.mailbox import Inbox
    from simulator.tools.workspace.folder import Workspace

_NOBODY = "trial", "trial", 1
"""From whom the secrets of a call on trial are drawn."""


def _store(recorder: RunRecorder, name: str, value: str) -> None:
    """Store a variable that was drawn: a replay of the same user has it from the recording."""
    recorder.variables.set(name, value, kind="identity", step_id=recorder.current_step)


@dataclass(frozen=True, slots=True)
class RunSetup:
    """What one user acts with.

    Attributes:
        resources: of the batch.
        identity: the user; None where a call is on trial.
        vault: the user's secrets.
        bindings: the variables of the run.
        folder: the run's own; that of the batch where nothing is recorded.
    """

    resources: Resources
    identity: Identity | None
    vault: Vault
    bindings: Bindings
    folder: Path

    @classmethod
    def of(cls, resources: Resources, identity: Identity | None, values: Mapping[str, str]) -> RunSetup:
        """Give what a user acts with. It comes before anything is recorded: from then on its secrets are masked.

        Args:
            resources: of the batch.
            identity: the user; None where a call is on trial.
            values: the variables that are known from the beginning.
        """
        one = identity
        vault = resources.vault(one.persona, one.seed, one.number, one.username) if one else resources.vault(*_NOBODY)
        bindings = Bindings(
            values,
            secret=vault.reveal,
            draw=partial(draw_variable, one) if one else None,
            naming=one.naming if one else {},
        )
        return cls(resources, identity, vault, bindings, resources.folder)

    def of_run(self, run_id: str) -> RunSetup:
        """Give it a folder of its own, once its run is recorded."""
        return replace(self, folder=self.resources.folder / run_id)

    def open_folder(self, *, files: bool = True) -> None:
        """Make the folder of the run, with the files in it that its user was dealt.

        Args:
            files: whether these are needed: a replay of the same users has them from the recording.

        Raises:
            ConfigError: one of them is not there any more.
        """
        self.folder.mkdir()
        if not files or self.identity is None or not self.identity.dealt():
            return
        for folder, name in dealt_files(self.identity):
            try:
                (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
                if folder is None:
                    (self.folder / name).write_bytes(draw_picture(name))
                else:
                    shutil.copyfile(folder / name, self.folder / name)
            except OSError as error:
                what = f"{(folder or self.folder) / name}"
                raise ConfigError(f"{what}: cannot be read, and it is data of users ({error.strerror})") from None

    def shown(self, text: str) -> str:
        """Write a text for people: values in place of variables, and no secret."""
        return self.resources.vaults.mask(self.bindings.shown(text))

    def template(self, text: str) -> str:
        """Write a text as it is recorded: variables in place of their values, and no secret."""
        return self.vault.mask(self.bindings.recognise(text))

    def session(
        self,
        profile: ContextProfile,
        recorder: RunRecorder | None,
        *,
        watch: ActionRecorder,
        still: Stillness | None = None,
        third_parties: ThirdParties | None = None,
        pacer: Pacer | None = None,
        rule: EvidenceRule | None = None,
    ) -> Session:
        """Give the actors of the run.

        Args:
            profile: what the site can see of their browsers.
            recorder: keeps which actors there are; None: nothing does.
            watch: gets every action.
            still: what is held still in their pages.
            third_parties: answers for other hosts; None: they do.
            pacer: lets them take the time of a person; None: things are done at once.
            rule: says at once what a replay could not find again; None: nobody asks.
        """
        res = self.resources
        if recorder is not None:
            self.bindings.on_drawn = partial(_store, recorder)
        return Session(
            res.pool,
            profile=profile,
            access=res.access,
            policy=res.policy,
            origin=res.site.origin,
            recorder=watch,
            bindings=self.bindings,
            vault=self.vault,
            timeouts=res.timeouts,
            opened=partial(recorder.actors.add, context=profile.as_dict()) if recorder else lambda name: None,
            still=still,
            marking=recorder.mark if recorder else str,
            traffic=self._traffic(recorder, third_parties) if recorder else None,
            third_parties=third_parties,
            pacer=pacer,
            rule=rule,
            lists=res.site.own_list,
        )

    def context(
        self,
        session: Session,
        journal: Journal,
        *,
        registry: Registry | None = None,
        ask: Callable[[str], Awaitable[str]] | None = None,
        workspace: Workspace | None = None,
        inbox: Inbox | None = None,
    ) -> RunContext:
        """Give the tools what they see of the run.

        Args:
            session: the actors of the run.
            journal: keeps what the run learns.
            registry: the tools of the run; None: there are none to look up.
            ask: puts a question to the person at the terminal; None where nobody attends.
            workspace: what the agent may work in beside the site; None: nothing.
            inbox: the mail of the run's users; None: no mailbox is set up.
        """
        res, one = self.resources, self.identity
        return RunContext(
            site=res.site,
            settings=res.settings,
            bindings=self.bindings,
            vault=self.vault,
            pictures=res.pictures,
            session=session,
            journal=journal,
            workdir=self.folder,
            seed=f"{one.seed}|{one.persona}|{one.number}" if one else "",
            skips=one.skips if one else lambda name: False,
            answers=one.answers if one else {},
            ask=ask,
            workspace=workspace,
            registry=Registry() if registry is None else registry,
            inbox=inbox,
        )

    def _traffic(self, recorder: RunRecorder, third_parties: ThirdParties | None) -> Callable[[str], Traffic] | None:
        res = self.resources
        level = res.settings.run.exchanges
        others = res.site.determinism.third_parties == "recorded" and third_parties is None
        if level == "none" and not others:
            return None
        vault = self.vault
        withheld = Withheld(vault.mask, adopt=lambda value: vault.see((value,)), headers=res.access.headers)
        return partial(
            Traffic,
            level=level,
            others=others,
            origin=res.site.origin,
            bindings=self.bindings,
            withheld=withheld,
            recorder=recorder.exchanges,
        )
