"""The tables of what users sent, and of what was seen of it: the statements of their migrations.

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

KINDS = """
DROP VIEW v_writes;
DROP INDEX effect_run;
ALTER TABLE effect RENAME TO effect_of_inputs;
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
INSERT INTO effect
SELECT id, run_id, action_id, ordinal, write_id, input_id, 'echo', strength, likeness, url, by, label, keyed, looked,
    '{"at":"","called":"","ids":[],"new":false}', '', ''
FROM effect_of_inputs;
DROP TABLE effect_of_inputs;
CREATE INDEX effect_run ON effect(run_id);

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
