"""What a recorded agent was answered, in its order: by its model, and by its tools. Pure.

An agent of today that runs against a tape has to ask and call the same; where it does not, the first difference is said
in words. Not responsible for: what of a request has to be the same (``requests``), running an agent, or performing
anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import JsonValue

from simulator.canonical import map_strings
from simulator.errors import RecordingError
from simulator.recording.parsing import parse_json
from simulator.recording.reader import Recording
from simulator.recording.rows import LlmCallRow, RunRow, StepRow
from simulator.recording.writing.requests import Outline, apply, whole
from simulator.replay.requests import Difference, compare_requests, excerpts, first_difference, reworded


@dataclass(frozen=True, slots=True)
class Asked:
    """One recorded request to a model, and what it answered."""

    call: LlmCallRow
    request: Mapping[str, Any]
    """``system``, ``tools`` and ``messages``; pictures are hashes."""
    response: Mapping[str, Any] | None
    """None where no answer came."""


class Deviation(Exception):
    """Today's agent does something else than the recorded one."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference.sentence)
        self.difference = difference


class TapeEnd(Exception):
    """Nothing more is recorded: the agent was cut off there."""


class Tape:
    """Gives what was recorded, entry by entry, and sees that it is what the agent asks for.

    Args:
        entries: in their order.
        ended: whether the recorded agent came to its end by itself after them.
    """

    def __init__(self, entries: Sequence[Asked | StepRow], *, ended: bool) -> None:
        self._entries = list(entries)
        self._ended = ended
        self._place = 0
        self.requests = 0
        """Requests taken so far."""
        self.steps = 0
        """Steps taken so far."""
        self.reworded: dict[str, Difference] = {}
        """What the program words otherwise than when it was recorded, by what it is; no difference of the run."""

    @property
    def over(self) -> bool:
        """Whether everything was taken."""
        return self._place == len(self._entries)

    def upcoming(self, end: int | None = None) -> list[StepRow]:
        """Give the steps that were not taken yet, up to this many from the beginning; None: all of them."""
        left = [entry for entry in self._entries[self._place :] if isinstance(entry, StepRow)]
        return left if end is None else left[: max(0, end - self.steps)]

    def ask(self, request: Mapping[str, Any] | None, facts: Sequence[str] = ()) -> Asked:
        """Take the next request.

        Args:
            request: what today's agent asks; None: whatever it asks.
            facts: what its system prompt says of the user and the site.

        Raises:
            Deviation: the recorded agent asked something else, or did something else there.
            TapeEnd: nothing more is recorded.
        """
        entry = self._next(f"request {self.requests + 1}", "a request to the model")
        if not isinstance(entry, Asked):
            raise Deviation(Difference(_step(entry), "the order", _called(entry), "a request to the model"))
        self.requests += 1
        if request is not None:
            where = f"request {self.requests}"
            uses = (entry.response or {}).get("uses", ())
            found = compare_requests(entry.request, request, facts=facts, uses=uses)
            if found is not None:
                raise Deviation(replace(found, where=where))
            for other in reworded(entry.request, request):
                self.reworded.setdefault(other.part, replace(other, where=where))
        self._place += 1
        return entry

    def call(self, tool: str, input: Mapping[str, JsonValue], shown: Callable[[str], str]) -> StepRow:
        """Take the next step.

        Args:
            tool: what today's agent calls.
            input: with what.
            shown: writes values in place of variables, for what is one with its variable.

        Raises:
            Deviation: the recorded agent called something else, or did something else there.
            TapeEnd: nothing more is recorded.
        """
        today = f"a call of {tool}"
        entry = self._next(f"step {self.steps + 1}", today)
        if isinstance(entry, Asked):
            where = f"request {self.requests + 1}"
            raise Deviation(Difference(where, "the order", "a request to the model", today))
        if entry.tool != tool:
            raise Deviation(Difference(_step(entry), "the tool", str(entry.tool), tool))
        recorded, given = map_strings(entry.input, shown), map_strings(input, shown)
        found = first_difference(_withheld_as(recorded, given) if entry.withheld else recorded, given)
        if found is not None:
            where = f" ({found.path})" if found.path else ""
            part = f"the input of {tool}{where}"
            raise Deviation(Difference(_step(entry), part, *excerpts(found.recorded, found.today)))
        self._place += 1
        self.steps += 1
        return entry

    def finish(self, end: str) -> None:
        """Note that today's agent has come to its end.

        Raises:
            Deviation: the recorded agent did more.
        """
        if self.over:
            return
        entry = self._entries[self._place]
        asked = isinstance(entry, Asked)
        where = f"request {self.requests + 1}" if asked else f"step {self.steps + 1}"
        recorded = "a request to the model" if isinstance(entry, Asked) else _called(entry)
        raise Deviation(Difference(where, "the order", recorded, f"the end of the run ({end})"))

    def _next(self, where: str, today: str) -> Asked | StepRow:
        if not self.over:
            return self._entries[self._place]
        if self._ended:
            raise Deviation(Difference(where, "the order", "the end of the run", today))
        raise TapeEnd


def read_tape(
    recording: Recording, run: RunRow, *, until: int | None = None, text: Callable[[str], str] = str
) -> list[Asked | StepRow]:
    """Read what a run's agent was answered, in order.

    Args:
        recording: holds the run.
        run: the run.
        until: only what comes before this step, from 0; an answer that led beyond it is cut off there.
        text: writes every text of an answer for today.

    Raises:
        RecordingError: a request or an answer is not whole.
    """
    steps = recording.steps(run.id)
    entries: list[Asked | StepRow] = [*read_calls(recording, run, text), *steps]
    # Both have ids that sort by the time at which they were made.
    entries.sort(key=lambda entry: entry.call.id if isinstance(entry, Asked) else entry.id)
    cut = next((place for place, entry in enumerate(entries) if _is_beyond(entry, until)), len(entries))
    beyond = {str(step.call_id) for step in steps if until is not None and step.ordinal >= until}
    kept = entries[:cut]
    last = next((place for place in reversed(range(cut)) if isinstance(kept[place], Asked)), None)
    if last is not None and beyond:
        entry = kept[last]
        assert isinstance(entry, Asked)
        shortened = _cut_off(entry, beyond)
        kept[last : last + 1] = [shortened] if shortened else []
    return kept


def read_calls(recording: Recording, run: RunRow, text: Callable[[str], str] = str) -> list[Asked]:
    """Read what a run asked of models.

    Args:
        recording: holds the run.
        run: the run.
        text: writes every text of an answer for today.

    Raises:
        RecordingError: a request or an answer is not whole.
    """
    outlines: dict[str, Outline] = {}
    found: list[Asked] = []

    def part(sha256: str) -> Any:
        return parse_json(recording.blobs.read(sha256).decode("utf-8", "surrogatepass"))

    for call in recording.llm_calls(run.id):
        try:
            document = part(call.request)
            outlines[call.request] = apply(document, outlines.get(document.get("before")))
            request = whole(outlines[call.request], part)
            response = map_strings(part(call.response), text) if call.response else None
        except (ValueError, AttributeError, LookupError) as error:
            raise RecordingError(
                f"request {call.ordinal + 1} of the run {run.id} is damaged ({error}); look with 'sim runs verify'"
            ) from error
        found.append(Asked(call, request, response))
    return found


def _is_beyond(entry: Asked | StepRow, until: int | None) -> bool:
    return until is not None and isinstance(entry, StepRow) and entry.ordinal >= until


def _cut_off(entry: Asked, beyond: set[str]) -> Asked | None:
    """Cut an answer off before the first of its tool calls that was made beyond the end; None: nothing is left."""
    response = entry.response
    if response is None:
        return None
    ids = [use["id"] for use in response["uses"]]
    first = next((place for place, use_id in enumerate(ids) if use_id in beyond), None)
    if first is None:
        return entry
    if first == 0:
        return None
    dropped = set(ids[first:])
    content = [block for block in response["content"] if block.get("id") not in dropped]
    return replace(entry, response={**response, "content": content, "uses": response["uses"][:first]})


def _withheld_as(recorded: Any, given: Any) -> Any:
    """Fill what was withheld from a recorded input with what is given now: it cannot be compared."""
    if recorded is None:
        return given
    if isinstance(recorded, dict) and isinstance(given, Mapping):
        return {key: _withheld_as(value, given.get(key)) for key, value in recorded.items()}
    if isinstance(recorded, list) and isinstance(given, list | tuple) and set(map(type, recorded)) == {type(None)}:
        return list(given)  # nor can their number, which the model's answer does not have
    if isinstance(recorded, list) and isinstance(given, Sequence) and len(recorded) == len(given):
        return [_withheld_as(one, other) for one, other in zip(recorded, given, strict=True)]
    return recorded


def _step(step: StepRow) -> str:
    return f"step {step.ordinal + 1}"


def _called(step: StepRow) -> str:
    return f"a call of {step.tool}"
