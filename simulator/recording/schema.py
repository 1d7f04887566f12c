"""The tables of a recording, with the reason of each column beside it.

Not responsible for: connecting, or when migrations are applied (``database.py``).

The comments are part of the schema: SQLite keeps them, ``.schema`` in any SQLite tool shows them, and
``docs/recordings.md`` is generated from them (``upkeep.comments``). The first line's comment is of the table. A
column whose comment begins with ``JSON`` holds canonical JSON or NULL. A released migration is never changed; each
stands below those that it builds on.
"""

from __future__ import annotations

from sqlite_utils import Migrations
from sqlite_utils.db import Database

from simulator.recording.effect_tables import EFFECTS, KINDS, SOCKETS, SPOTS, THINGS
from simulator.recording.views import VIEWS

MIGRATIONS = Migrations("simulator.recording")

_RUNS = """
CREATE TABLE sequence ( -- One row: the number of the last change, counted up by every transaction.
    id INTEGER PRIMARY KEY CHECK (id = 1), -- always 1
    value INTEGER NOT NULL -- the highest `change` in the file
) STRICT;
INSERT INTO sequence VALUES (1, 0);

CREATE TABLE process ( -- A program that wrote here; tells whether a run that has not ended can still go on.
    id TEXT PRIMARY KEY, -- UUIDv7
    pid INTEGER NOT NULL, -- process id
    birth TEXT NOT NULL, -- when that process began, as its system counts it: pids are used again
    boot TEXT NOT NULL, -- hash of the boot of the system it ran on: after another boot it is dead
    space TEXT NOT NULL -- process-id namespace: a container cannot see the processes of another
) STRICT;

CREATE TABLE batch ( -- One invocation that made runs.
    id TEXT PRIMARY KEY, -- UUIDv7, so that recordings of several machines merge
    kind TEXT NOT NULL, -- `record`, `replay`, `heal`, `import` or `cleanup`
    status TEXT NOT NULL, -- `running`, `passed`, `failed`, `interrupted` or `cancelled`
    argv TEXT NOT NULL, -- JSON list: the command line
    seed TEXT NOT NULL, -- what every identity and choice was drawn from
    settings TEXT NOT NULL, -- JSON object: the settings in force
    source_batch TEXT, -- the batch that was replayed; it may be in another file, so no reference
    source_path TEXT, -- name of the file that was replayed
    process_id TEXT REFERENCES process(id), -- who writes it; NULL once copied to another file
    started_at TEXT NOT NULL, -- wall time
    ended_at TEXT, -- wall time; NULL while it goes on
    started_ns INTEGER NOT NULL, -- monotonic time, for durations within one process
    ended_ns INTEGER, -- monotonic time
    change INTEGER NOT NULL -- number of the last change of this row
) STRICT;

CREATE TABLE run ( -- What one persona instance did, from its first step to its end.
    id TEXT PRIMARY KEY, -- UUIDv7
    batch_id TEXT NOT NULL REFERENCES batch(id), -- the invocation it belongs to
    number INTEGER NOT NULL, -- place in the batch; the instance number of its identity
    kind TEXT NOT NULL, -- `record`, `replay`, `heal`, `import` or `cleanup`
    origin TEXT NOT NULL, -- who decided the steps: `agent`, `human` or `mcp`
    agent TEXT, -- which agent: `autopilot`, `claude`...; NULL where none decided
    persona TEXT, -- name of the persona; NULL where a human or another program acted
    label TEXT, -- a name given by a person
    site TEXT NOT NULL, -- the site section it ran on
    identity TEXT, -- JSON object: the values drawn for the user, so that a new Faker changes nothing
    environment TEXT NOT NULL, -- JSON object: versions, base URL (only here), viewport, locale, time zone
    key_fingerprint TEXT, -- tells which machine key its secrets were derived from
    source_run TEXT, -- the run that was replayed, healed or repaired; it may be in another file, so no reference
    revision INTEGER NOT NULL, -- 1, and one more each time it is revised; the older ones stay
    status TEXT NOT NULL, -- `running`, `passed`, `failed`, `interrupted` or `cancelled`
    verdict TEXT, -- `passed`, `healed`, `repaired` or a class of drift
    reason TEXT, -- why it ended as it did, for a person
    summary TEXT, -- JSON object: what a report needs of it
    process_id TEXT REFERENCES process(id), -- who writes it; NULL once copied to another file
    started_at TEXT NOT NULL, -- wall time
    ended_at TEXT, -- wall time; NULL while it goes on
    started_ns INTEGER NOT NULL, -- monotonic time
    ended_ns INTEGER, -- monotonic time
    change INTEGER NOT NULL -- number of the last change of this row
) STRICT;
CREATE INDEX run_batch ON run(batch_id, number);
CREATE INDEX run_running ON run(status) WHERE status = 'running';

CREATE TABLE actor ( -- An identity with its own browser context inside a run.
    id TEXT PRIMARY KEY, -- UUIDv7
    run_id TEXT NOT NULL REFERENCES run(id), -- the run it acts in
    ordinal INTEGER NOT NULL, -- order of appearance, from 0
    name TEXT NOT NULL, -- how steps call it
    identity TEXT, -- JSON object: its values, where it is not the run's own identity
    context TEXT, -- JSON object: viewport, locale, time zone and user agent of its browser context
    UNIQUE (run_id, name)
) STRICT;

CREATE TABLE blob ( -- Bytes that are large or shared, stored once by their hash.
    sha256 TEXT PRIMARY KEY, -- of the bytes themselves, before compression
    media_type TEXT NOT NULL, -- such as `image/png`
    size INTEGER NOT NULL, -- bytes before compression
    encoding TEXT NOT NULL CHECK (encoding IN ('identity', 'zlib')), -- how `bytes` is stored
    bytes BLOB NOT NULL -- the content
) STRICT;

CREATE TABLE page ( -- A page as one look found it, stored once by its content.
    sha256 TEXT PRIMARY KEY, -- of the canonical JSON of the columns `url` to `notes`
    url TEXT NOT NULL, -- template; relative to the base URL where it is on the site
    title TEXT NOT NULL, -- of the document
    status INTEGER NOT NULL, -- HTTP status of the document; 0 where there is none
    requests TEXT NOT NULL, -- JSON list of [method, URL shape, status]: what the action caused besides
    alerts TEXT NOT NULL, -- JSON list: texts shown as errors
    notes TEXT NOT NULL, -- JSON list: texts shown as status, what dialogs asked, errors of scripts
    snapshot TEXT REFERENCES blob(sha256) -- accessibility snapshot, where one was taken
) STRICT, WITHOUT ROWID;

CREATE TABLE step ( -- One dispatch call. Committed as `pending` before it is executed.
    id TEXT PRIMARY KEY, -- UUIDv7
    run_id TEXT NOT NULL REFERENCES run(id), -- the run it belongs to
    ordinal INTEGER NOT NULL, -- place in the run, from 0
    batch_ordinal INTEGER NOT NULL, -- place in the batch, over all its runs, from 0
    tool TEXT, -- which tool was called; NULL for what a human did by hand
    call_id TEXT, -- the agent's id of the call
    replay TEXT NOT NULL, -- what a replay does: `actions`, `result`, `call` or `skip`
    task TEXT, -- what the agent was at: the persona's task
    input TEXT NOT NULL, -- JSON object: the call's arguments as templates
    withheld INTEGER NOT NULL, -- 1: typed texts in `input` are null, for they may have been secrets
    success INTEGER, -- 1 or 0: what the tool answered; NULL while pending
    result TEXT, -- JSON value: the tool's answer
    error_type TEXT, -- kind of failure
    error_message TEXT, -- what the agent was told
    images TEXT, -- JSON list of {sha256, media_type}: pictures it gave back, kept as blobs
    metadata TEXT, -- JSON object: what the tool told besides
    flags TEXT, -- JSON object: marks set afterwards, such as `keep_text`
    status TEXT NOT NULL, -- `pending`, `done`, `failed` or `interrupted`
    started_at TEXT NOT NULL, -- wall time
    ended_at TEXT, -- wall time; NULL while pending
    started_ns INTEGER NOT NULL, -- monotonic time
    ended_ns INTEGER, -- monotonic time
    change INTEGER NOT NULL, -- number of the last change of this row
    UNIQUE (run_id, ordinal)
) STRICT;

CREATE TABLE action ( -- One browser operation inside a step. Committed as `pending` before it happens.
    id TEXT PRIMARY KEY, -- UUIDv7
    step_id TEXT NOT NULL REFERENCES step(id), -- the step it belongs to
    ordinal INTEGER NOT NULL, -- place in the step, from 0
    actor_id TEXT NOT NULL REFERENCES actor(id), -- who acted
    kind TEXT NOT NULL, -- `goto`, `click`, `fill`, `press`, `select`, `upload`...
    target TEXT, -- JSON object: the evidence that identifies the element; NULL for `goto` and the like
    value TEXT, -- what was typed, chosen, pressed or visited, as a template; of an upload the blob's hash
    recorded_value TEXT, -- the template rendered; NULL for secrets
    aim TEXT NOT NULL CHECK (aim IN ('exact', 'choice')), -- that very element, or one of a collection
    choice TEXT, -- JSON object: the rule by which it was chosen
    options TEXT NOT NULL, -- JSON object: options of the operation
    status TEXT NOT NULL, -- `pending`, `done`, `failed`, `cancelled` or `interrupted`
    settled TEXT, -- how the page came to rest: `navigated`, `changed`, `quiet` or `unsettled`
    before_page TEXT REFERENCES page(sha256), -- the page it acted on
    after_page TEXT REFERENCES page(sha256), -- the page it led to
    error TEXT, -- why it failed
    started_at TEXT NOT NULL, -- wall time
    ended_at TEXT, -- wall time; NULL while pending
    started_ns INTEGER NOT NULL, -- monotonic time
    ended_ns INTEGER, -- monotonic time
    change INTEGER NOT NULL, -- number of the last change of this row
    UNIQUE (step_id, ordinal)
) STRICT;

CREATE TABLE variable ( -- A value in a run that is not a constant.
    run_id TEXT NOT NULL REFERENCES run(id), -- the run it belongs to
    name TEXT NOT NULL, -- as templates write it, such as `identity.email`
    kind TEXT NOT NULL, -- `identity`, `book`, `secret`, `file`, `clock`, `site` or `text`
    value TEXT CHECK (kind <> 'secret' OR value IS NULL), -- the recorded value; always NULL for a secret
    step_id TEXT REFERENCES step(id), -- where it came from, when it was minted during the run
    action_id TEXT REFERENCES action(id), -- the action after which it first appeared
    PRIMARY KEY (run_id, name)
) STRICT;

CREATE TABLE variable_use ( -- Where a template names a variable. Derived from steps and actions when a run ends.
    step_id TEXT NOT NULL REFERENCES step(id), -- the step that uses it
    action_id TEXT REFERENCES action(id), -- the action that uses it; NULL for the call's input
    place TEXT NOT NULL, -- `input`, `value` or `target`
    name TEXT NOT NULL -- as written, derived form included, such as `identity.display_name.first`
) STRICT;
CREATE INDEX variable_use_step ON variable_use(step_id);

CREATE TABLE dependency ( -- A step used what another run's step produced.
    step_id TEXT NOT NULL REFERENCES step(id), -- the step that needs it
    producer_run TEXT NOT NULL REFERENCES run(id), -- the run that made it
    producer_step TEXT REFERENCES step(id), -- the step that made it, where it is known
    name TEXT NOT NULL, -- the variable that carries it
    PRIMARY KEY (step_id, producer_run, name)
) STRICT;
CREATE INDEX dependency_producer ON dependency(producer_run);

CREATE TABLE created ( -- A journal of what was made on the site.
    id TEXT PRIMARY KEY, -- UUIDv7
    run_id TEXT NOT NULL REFERENCES run(id), -- the run that made it
    step_id TEXT NOT NULL REFERENCES step(id), -- the step that made it
    ordinal INTEGER NOT NULL, -- place in the run, from 0
    kind TEXT NOT NULL, -- such as `listing` or `user`
    url TEXT NOT NULL, -- template: where it can be read back
    fields TEXT NOT NULL, -- JSON object: what it was given, as templates
    status TEXT NOT NULL, -- `live`, or `removed` once it was cleaned up
    change INTEGER NOT NULL, -- number of the last change of this row
    UNIQUE (run_id, ordinal)
) STRICT;
"""

_TRAFFIC = """
CREATE TABLE exchange ( -- One HTTP request and its answer.
    id TEXT PRIMARY KEY, -- UUIDv7
    run_id TEXT NOT NULL REFERENCES run(id), -- the run it belongs to
    step_id TEXT REFERENCES step(id), -- the step that caused it
    action_id TEXT REFERENCES action(id), -- the action that caused it
    actor_id TEXT REFERENCES actor(id), -- whose browser context sent it
    ordinal INTEGER NOT NULL, -- order of sending within the run, from 0
    initiator TEXT NOT NULL, -- what it is for: `document`, `fetch`, `image`...; `simulator`: what it looks up itself
    redirect_of TEXT REFERENCES exchange(id), -- the exchange whose answer redirected here
    method TEXT NOT NULL, -- HTTP method
    url TEXT NOT NULL, -- template; relative to the base URL where it is on the site
    request_headers TEXT NOT NULL, -- JSON list of [name, value] in order, cookies and credentials masked
    request_parts TEXT, -- JSON list: the body as named parts, values as templates, files as blob hashes
    request_body TEXT REFERENCES blob(sha256), -- the masked body where it has no parts; a text as a template
    status INTEGER NOT NULL, -- HTTP status as the page saw it; 0 where no answer came
    response_headers TEXT NOT NULL, -- JSON list of [name, value] in order, masked
    response_body TEXT REFERENCES blob(sha256), -- the masked body, where it was kept
    error TEXT, -- why no answer came, or what of the bodies is not kept
    timings TEXT NOT NULL, -- JSON object: milliseconds since it began, by phase; empty where a cache answered
    started_at TEXT NOT NULL, -- wall time
    started_ns INTEGER NOT NULL, -- monotonic time
    UNIQUE (run_id, ordinal)
) STRICT;
CREATE INDEX exchange_step ON exchange(step_id);

CREATE TABLE llm_call ( -- One request to a model and its answer: what an offline replay of the agent needs.
    id TEXT PRIMARY KEY, -- UUIDv7
    run_id TEXT NOT NULL REFERENCES run(id), -- the run it belongs to
    step_id TEXT REFERENCES step(id), -- the step that the answer led to
    ordinal INTEGER NOT NULL, -- place in the run, from 0
    provider TEXT NOT NULL, -- such as `anthropic`
    model TEXT NOT NULL, -- name of the model as the answer tells it
    request TEXT NOT NULL REFERENCES blob(sha256), -- canonical JSON: its difference to the one before, parts by hash
    request_hash TEXT NOT NULL, -- hash of the whole masked request
    response TEXT REFERENCES blob(sha256), -- canonical JSON of the answer, kept once its calls are made; else NULL
    usage TEXT, -- JSON object: tokens by kind; empty where the answer was given back
    error TEXT, -- why no answer came
    status TEXT NOT NULL, -- `pending`, `done`, `failed` or `interrupted`
    started_at TEXT NOT NULL, -- wall time
    ended_at TEXT, -- wall time; NULL while pending
    started_ns INTEGER NOT NULL, -- monotonic time
    ended_ns INTEGER, -- monotonic time
    UNIQUE (run_id, ordinal)
) STRICT;
"""


@MIGRATIONS()
def m001_runs(db: Database) -> None:
    """Batches, runs, steps, actions and what they used."""
    _run(db, _RUNS)


@MIGRATIONS()
def m002_traffic(db: Database) -> None:
    """HTTP exchanges and model calls."""
    _run(db, _TRAFFIC)


@MIGRATIONS()
def m003_views(db: Database) -> None:
    """Views for people: runs, steps, actions, failures and what was made, in words and with the names of others."""
    _run(db, VIEWS)


@MIGRATIONS()
def m004_effects(db: Database) -> None:
    """What users sent, and where it was seen again."""
    _run(db, EFFECTS)


@MIGRATIONS()
def m005_kinds_of_effects(db: Database) -> None:
    """What writes without an input did, and which thing it was."""
    _run(db, KINDS)


@MIGRATIONS()
def m006_things(db: Database) -> None:
    """Things that users made are counted by what was seen of writes; tools keep no journal of them any more."""
    _run(db, THINGS)


@MIGRATIONS()
def m007_spots(db: Database) -> None:
    """Places that last are known by name: a replay does not ask for their documents once more."""
    _run(db, SPOTS)


@MIGRATIONS()
def m008_sockets(db: Database) -> None:
    """What was said on web sockets; views of thousands of runs find what they count by indexes."""
    _run(db, SOCKETS)


def _run(db: Database, script: str) -> None:
    """Execute statements one by one: ``executescript`` would commit the migration's transaction."""
    for statement in script.split(";\n"):
        if statement.strip():
            db.conn.execute(statement)
