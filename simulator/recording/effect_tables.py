"""The tables of what users sent, and of what was seen of it, and the views that count it: statements of migrations.

Released statements are never changed. Not responsible for: the other tables (``schema``).
"""

EFFECTS = """
CREATE TABLE write ( -- A request that can change the site, and what of the user's input it carried.
    id TEXT PRIMARY KEY, -- UUIDv7
    run_id TEXT NOT NULL REFERENCES run(id), -- the run it belongs to
    action_id TEXT NOT NULL REFERENCES action(id), -- the action during which it was sent
    ordinal INTEGER NOT NULL, -- place among the writes of its action, from 0
    initiator TEXT NOT NULL CHECK (initiator IN ('document', 'fetch', 'beacon')), -- a form of the document, a script...
    method TEXT NOT NULL, -- HTTP method
    url TEXT NOT NULL, -- template; relative to the base URL where it is on the site
    operation TEXT NOT NULL, -- name of a GraphQL operation; empty for other requests
    status INTEGER NOT NULL, -- HTTP status of the answer; 0 where none came
    leads_to TEXT NOT NULL, -- template: where the answer sent the browser; empty where it did not
    carried TEXT NOT NULL, -- JSON list of {part, input}: what it held of the user's input, by the action that put it in
    UNIQUE (action_id, ordinal)
) STRICT;
CREATE INDEX write_run ON write(run_id);

CREATE TABLE effect ( -- What the user had put in and what was sent of it, seen again.
    id TEXT PRIMARY KEY, -- UUIDv7
    run_id TEXT NOT NULL REFERENCES run(id), -- the run it belongs to
    action_id TEXT NOT NULL REFERENCES action(id), -- the action after which it was seen
    ordinal INTEGER NOT NULL, -- place among the effects of that action, from 0
    write_id TEXT NOT NULL REFERENCES write(id), -- what sent it
    input_id TEXT NOT NULL REFERENCES action(id), -- the action that put it in
    strength TEXT NOT NULL CHECK (strength IN ('shown', 'kept')), -- `kept`: on a document loaded after the answer
    likeness TEXT NOT NULL CHECK (likeness IN ('same', 'transformed', 'beginning')), -- how it is written there
    url TEXT NOT NULL, -- template: the document that shows it
    by TEXT NOT NULL CHECK (by IN ('field', 'label', 'text', 'picture')), -- how the place is known
    label TEXT NOT NULL, -- what the place is called; of a picture the shape of its address; empty for any text
    keyed INTEGER NOT NULL CHECK (keyed IN (0, 1)), -- 1: the place is tied to what was written
    looked INTEGER NOT NULL CHECK (looked IN (0, 1)), -- 1: seen by a visit of its own after the action, between tasks
    UNIQUE (action_id, ordinal)
) STRICT;
CREATE INDEX effect_run ON effect(run_id);

CREATE VIEW v_writes AS -- Each request that can change the site, with what it carried and whether that was seen again.
SELECT
    write.run_id AS run, -- the run
    step.ordinal + 1 AS step, -- the step that sent it, from 1
    write.method AS method, -- HTTP method
    write.url AS url, -- template
    write.operation AS operation, -- name of a GraphQL operation
    write.status AS status, -- HTTP status of the answer
    json_array_length(write.carried) AS inputs, -- how many inputs it carried; 0: incidental
    (SELECT count(DISTINCT effect.input_id) FROM effect WHERE effect.write_id = write.id AND effect.strength = 'kept')
        AS kept, -- how many of them were seen on a document that was loaded afterwards
    write.id AS id -- its id
FROM write
JOIN action ON action.id = write.action_id
JOIN step ON step.id = action.step_id
ORDER BY write.run_id, step.ordinal, action.ordinal, write.ordinal;
"""

_EFFECT = """
CREATE TABLE effect ( -- What followed from a write: an input, a state, a thing that is there or gone, seen again.
    id TEXT PRIMARY KEY, -- UUIDv7
    run_id TEXT NOT NULL REFERENCES run(id), -- the run it belongs to
    action_id TEXT NOT NULL REFERENCES action(id), -- the action after which it was seen
    ordinal INTEGER NOT NULL, -- place among the effects of that action, from 0
    write_id TEXT NOT NULL REFERENCES write(id), -- what it follows from
    input_id TEXT NOT NULL REFERENCES action(id), -- the action that put the input in; of other kinds, what pressed
    kind TEXT NOT NULL CHECK (kind IN ('echo', 'state', 'appearance', 'disappearance')), -- an input, a control, a thing
    strength TEXT NOT NULL CHECK (strength IN ('shown', 'kept')), -- `kept`: on a document loaded after the answer
    likeness TEXT NOT NULL CHECK (likeness IN ('same', 'transformed', 'beginning')), -- how an input is written there
    url TEXT NOT NULL, -- template: the document that shows it, or shows it no more
    by TEXT NOT NULL CHECK (by IN ('field', 'label', 'text', 'picture', 'control', 'card', 'address')), -- how known
    label TEXT NOT NULL, -- what the place is called; of a picture the shape of its address; empty for any text
    keyed INTEGER NOT NULL CHECK (keyed IN (0, 1)), -- 1: the place is tied to what was written
    looked INTEGER NOT NULL CHECK (looked IN (0, 1)), -- 1: seen by a visit of its own after the action, between tasks
    thing TEXT NOT NULL, -- JSON object {ids, new, at, called}: what was written, as the site knows it; templates
    was TEXT NOT NULL, -- of a state: the control before; empty for other kinds
    shows TEXT NOT NULL, -- of a state: the control since then; empty for other kinds
    UNIQUE (action_id, ordinal)
) STRICT;
"""

_V_WRITES = """
CREATE VIEW v_writes AS -- Each request that can change the site, with what it carried and whether that was seen again.
SELECT
    write.run_id AS run, -- the run
    step.ordinal + 1 AS step, -- the step that sent it, from 1
    write.method AS method, -- HTTP method
    write.url AS url, -- template
    write.operation AS operation, -- name of a GraphQL operation
    write.status AS status, -- HTTP status of the answer
    json_array_length(write.carried) AS inputs, -- how many inputs it carried
    (SELECT count(DISTINCT effect.input_id) FROM effect
        WHERE effect.write_id = write.id AND effect.kind = 'echo' AND effect.strength = 'kept')
        AS kept, -- how many of them were seen on a document that was loaded afterwards
    (SELECT group_concat(DISTINCT effect.kind) FROM effect WHERE effect.write_id = write.id)
        AS effects, -- the kinds of what was seen of it; NULL for nothing: without inputs, too, it is incidental
    write.id AS id -- its id
FROM write
JOIN action ON action.id = write.action_id
JOIN step ON step.id = action.step_id
ORDER BY write.run_id, step.ordinal, action.ordinal, write.ordinal;
"""

KINDS = (
    """
DROP VIEW v_writes;
DROP INDEX effect_run;
ALTER TABLE effect RENAME TO effect_of_inputs;
"""
    + _EFFECT
    + """INSERT INTO effect
SELECT id, run_id, action_id, ordinal, write_id, input_id, 'echo', strength, likeness, url, by, label, keyed, looked,
    '{"at":"","called":"","ids":[],"new":false}', '', ''
FROM effect_of_inputs;
DROP TABLE effect_of_inputs;
CREATE INDEX effect_run ON effect(run_id);

"""
    + _V_WRITES
)

_V_THINGS = """
CREATE VIEW v_things AS -- Each thing that a write was seen to make, where no tool kept a journal of its own.
SELECT
    write.id AS id, -- of the write
    write.run_id AS run, -- the run
    step.id AS step_id, -- the step that sent it
    coalesce((
        SELECT iif(word.value LIKE '%_s', substr(word.value, 1, length(word.value) - 1), word.value)
        FROM json_each('["' || replace(substr(json_quote(coalesce(
            (SELECT max(json_extract(own.thing, '$.at')) FROM effect AS own
                WHERE own.write_id = write.id AND json_extract(own.thing, '$.new')
                HAVING max(json_extract(own.thing, '$.at')) <> ''),
            write.url)), 2), '/', '","') || ']') AS word
        WHERE word.value <> '' AND word.value NOT GLOB '*[{0-9#?]*' ORDER BY word.key DESC LIMIT 1), 'thing')
        AS kind, -- the word of its address before what the site minted; where it has none, of where it was sent
    (SELECT coalesce(
            nullif(max(iif(json_extract(own.thing, '$.new'), json_extract(own.thing, '$.at'), '')), ''),
            max(iif(own.by = 'card' OR own.keyed, own.url, '')))
        FROM effect AS own WHERE own.write_id = write.id)
        AS url, -- template: its own address, or that of a page with its card; empty where none is known
    (SELECT json_group_object(put.called, put.value) FROM (
        SELECT DISTINCT coalesce(json_extract(input.target, '$.label'), json_extract(input.target, '$.name_attr'),
                                 json_extract(input.target, '$.name'), '') AS called, input.value AS value
        FROM effect AS echo JOIN action AS input ON input.id = echo.input_id
        WHERE echo.write_id = write.id AND echo.kind = 'echo' AND echo.strength = 'kept' AND echo.keyed
            AND input.kind <> 'upload') AS put)
        AS fields, -- JSON object: what was put into it and seen again, as templates
    iif(
        EXISTS (
            SELECT 1 FROM run AS cleanup, json_each(cleanup.summary, '$.cleaned') AS gone
            WHERE cleanup.kind = 'cleanup' AND gone.value = write.id)
        OR EXISTS (
            SELECT 1 FROM effect AS gone
            JOIN write AS after ON after.id = gone.write_id
            JOIN action AS taking ON taking.id = after.action_id
            JOIN step AS later ON later.id = taking.step_id
            WHERE gone.run_id = write.run_id AND gone.kind = 'disappearance'
                AND (later.ordinal, taking.ordinal, after.ordinal) > (step.ordinal, action.ordinal, write.ordinal)
                AND (
                    EXISTS (
                        SELECT 1 FROM effect AS own, json_each(own.thing, '$.ids') AS one
                        JOIN json_each(gone.thing, '$.ids') AS other ON other.value = one.value
                        WHERE own.write_id = write.id AND json_extract(own.thing, '$.new'))
                    OR (json_extract(gone.thing, '$.called') <> ''
                        AND (json_array_length(gone.thing, '$.ids') = 0 OR NOT EXISTS (
                            SELECT 1 FROM effect AS own WHERE own.write_id = write.id
                                AND json_extract(own.thing, '$.new') AND json_array_length(own.thing, '$.ids') > 0))
                        AND EXISTS (
                            SELECT 1 FROM json_each(write.carried) AS part
                            JOIN action AS input ON input.id = json_extract(part.value, '$.input')
                            WHERE input.value = json_extract(gone.thing, '$.called'))))),
        'removed', 'live') AS status -- `live`, or `removed` once its own run or a cleanup took it away
FROM write
JOIN action ON action.id = write.action_id
JOIN step ON step.id = action.step_id
WHERE EXISTS (SELECT 1 FROM effect AS own WHERE own.write_id = write.id AND json_extract(own.thing, '$.new'))
    AND NOT EXISTS (SELECT 1 FROM created WHERE created.run_id = write.run_id AND created.step_id = step.id)
"""

_OF_THINGS = """CREATE VIEW v_runs AS -- Each run with its user, how it ended and how long it took.
SELECT
    run.id AS run, -- its id
    run.batch_id AS batch, -- the invocation that made it
    run.number AS number, -- place in the batch
    run.kind AS kind, -- `record`, `replay`, `heal`, `import` or `cleanup`
    run.persona AS persona, -- name of the persona
    json_extract(run.identity, '$.username') AS username, -- of its user, as it was drawn
    run.agent AS agent, -- which agent decided
    run.site AS site, -- the site section
    json_extract(run.environment, '$.base_url') AS base_url, -- where the site was
    run.status AS status, -- `running`, `passed`, `failed`, `interrupted` or `cancelled`
    run.verdict AS verdict, -- what a replay came to
    run.reason AS reason, -- why it ended as it did
    run.revision AS revision, -- 1, and one more each time it was revised
    run.source_run AS source_run, -- the run that was replayed or revised
    (SELECT count(*) FROM step WHERE step.run_id = run.id) AS steps, -- how many steps it has
    (SELECT count(*) FROM created WHERE created.run_id = run.id)
    + (SELECT count(*) FROM v_things WHERE v_things.run = run.id) AS made, -- how many things it made on the site
    run.started_at AS started_at, -- wall time
    round((run.ended_ns - run.started_ns) / 1e9, 3) AS seconds -- from its start to its end
FROM run
ORDER BY run.batch_id, run.number, run.revision, run.id;

CREATE VIEW v_created AS -- Each thing that users made on the site, with who made it.
SELECT
    made.kind AS kind, -- such as `book` or `message`
    made.url AS url, -- template: where it can be read back
    made.fields AS fields, -- JSON object: what it was given, as templates
    made.status AS status, -- `live`, or `removed` once its own run or a cleanup took it away
    run.persona AS persona, -- whose
    json_extract(run.identity, '$.username') AS username, -- of the user who made it
    made.run AS run, -- the run
    step.ordinal + 1 AS step, -- the step that made it, from 1
    step.started_at AS made_at, -- wall time
    made.id AS id -- its id: of an entry of the journal, or of the write
FROM (
    SELECT id, run_id AS run, step_id, kind, url, fields, status, ordinal FROM created
    UNION ALL
    SELECT id, run, step_id, kind, url, fields, status, 0 FROM v_things) AS made
JOIN run ON run.id = made.run
JOIN step ON step.id = made.step_id
ORDER BY made.run, step.ordinal, made.ordinal, made.id;
"""

THINGS = (
    """
DROP VIEW v_runs;
DROP VIEW v_created;
CREATE INDEX effect_write ON effect(write_id);

"""
    + _V_THINGS
    + """    AND NOT EXISTS ( -- It opened a session, or an account: its form had a secret in it.
        SELECT 1 FROM json_each(write.carried) AS part
        JOIN action AS input ON input.id = json_extract(part.value, '$.input')
        JOIN step AS around ON around.run_id = write.run_id
        JOIN action AS beside ON beside.step_id = around.id
        WHERE json_extract(beside.target, '$.secret')
            AND coalesce(json_extract(beside.target, '$.form'), '') = coalesce(json_extract(input.target, '$.form'), ''));

"""  # noqa: E501
    + _OF_THINGS
)

SPOTS = """
ALTER TABLE effect ADD COLUMN spot TEXT NOT NULL DEFAULT ''; -- names a place that lasts, of an input; empty elsewhere
"""

_EFFECT_WITH_SPOT = _EFFECT.replace(
    "    UNIQUE",
    "    spot TEXT NOT NULL, -- names a place that lasts, of an input; empty elsewhere\n    UNIQUE",
)

SOCKETS = (
    """
DROP VIEW v_writes;
DROP VIEW v_runs;
DROP VIEW v_created;
DROP VIEW v_things;
DROP INDEX effect_run;
DROP INDEX effect_write;
DROP INDEX write_run;
ALTER TABLE effect RENAME TO effect_before;
ALTER TABLE write RENAME TO write_before;
CREATE TABLE write ( -- A request that can change the site, and what of the user's input it carried.
    id TEXT PRIMARY KEY, -- UUIDv7
    run_id TEXT NOT NULL REFERENCES run(id), -- the run it belongs to
    action_id TEXT NOT NULL REFERENCES action(id), -- the action during which it was sent
    ordinal INTEGER NOT NULL, -- place among the writes of its action, from 0
    initiator TEXT NOT NULL CHECK (initiator IN ('document', 'fetch', 'beacon', 'socket')), -- what sent it
    method TEXT NOT NULL, -- HTTP method; `SEND` for what was said on a web socket
    url TEXT NOT NULL, -- template; relative to the base URL where it is on the site
    operation TEXT NOT NULL, -- name of a GraphQL operation; empty for other requests
    status INTEGER NOT NULL, -- HTTP status of the answer; 0 where none came, as on a socket
    leads_to TEXT NOT NULL, -- template: where the answer sent the browser; empty where it did not
    carried TEXT NOT NULL, -- JSON list of {part, input}: what it held of the user's input, by the action that put it in
    UNIQUE (action_id, ordinal)
) STRICT;
INSERT INTO write SELECT * FROM write_before;
"""
    + _EFFECT_WITH_SPOT
    + """INSERT INTO effect SELECT * FROM effect_before;
DROP TABLE effect_before;
DROP TABLE write_before;
CREATE INDEX write_run ON write(run_id);
CREATE INDEX effect_run ON effect(run_id);
CREATE INDEX effect_write ON effect(write_id);
CREATE INDEX effect_gone ON effect(run_id) WHERE kind = 'disappearance';
CREATE INDEX action_secret ON action(step_id) WHERE instr(target, '"secret"');
CREATE INDEX run_cleanup ON run(kind) WHERE kind = 'cleanup';

"""
    + _V_WRITES
    + _V_THINGS
    + """    AND NOT EXISTS ( -- It opened a session, or an account: its form had a secret in it.
        SELECT 1 FROM step AS around
        JOIN action AS beside ON beside.step_id = around.id
        WHERE around.run_id = write.run_id AND instr(beside.target, '"secret"')
            AND json_extract(beside.target, '$.secret')
            AND coalesce(json_extract(beside.target, '$.form'), '') IN (
                SELECT coalesce(json_extract(input.target, '$.form'), '') FROM json_each(write.carried) AS part
                JOIN action AS input ON input.id = json_extract(part.value, '$.input')));

"""
    + _OF_THINGS
)
