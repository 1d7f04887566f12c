"""The views of a recording for people: statements of a migration.

Released statements are never changed. Not responsible for: the tables (``schema``), or views that count effects
(``effect_tables``).
"""

VIEWS = """
CREATE VIEW v_runs AS -- Each run with its user, how it ended and how long it took.
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
    (SELECT count(*) FROM created WHERE created.run_id = run.id) AS made, -- how many things it made on the site
    run.started_at AS started_at, -- wall time
    round((run.ended_ns - run.started_ns) / 1e9, 3) AS seconds -- from its start to its end
FROM run
ORDER BY run.batch_id, run.number, run.revision, run.id;

CREATE VIEW v_steps AS -- Each step with what it did, how long it took, and the page that it led to.
SELECT
    step.run_id AS run, -- the run
    run.persona AS persona, -- of the run
    step.ordinal + 1 AS step, -- place in the run, from 1, as reports count
    step.task AS task, -- what the agent was at
    step.tool AS tool, -- which tool was called
    step.input AS input, -- its arguments, with variables
    step.status AS status, -- `pending`, `done`, `failed` or `interrupted`
    step.error_type AS error_type, -- kind of failure
    step.error_message AS error, -- what the agent was told
    (SELECT count(*) FROM action WHERE action.step_id = step.id) AS actions, -- how many browser operations
    (SELECT page.url FROM action JOIN page ON page.sha256 = action.after_page WHERE action.step_id = step.id
     ORDER BY action.ordinal DESC LIMIT 1) AS page, -- address of the page that it led to
    step.started_at AS started_at, -- wall time
    round((step.ended_ns - step.started_ns) / 1e6, 1) AS ms, -- how long it took
    step.id AS id -- its id
FROM step JOIN run ON run.id = step.run_id
ORDER BY step.run_id, step.ordinal;

CREATE VIEW v_actions AS -- Each browser operation with its element, its value and what it led to.
SELECT
    step.run_id AS run, -- the run
    step.ordinal + 1 AS step, -- the step, from 1
    action.ordinal + 1 AS action, -- place in the step, from 1
    actor.name AS actor, -- who acted
    action.kind AS kind, -- `goto`, `click`, `fill`...
    coalesce(json_extract(action.target, '$.role'), json_extract(action.target, '$.tag')) AS role, -- of its element
    coalesce(json_extract(action.target, '$.name'), json_extract(action.target, '$.label'),
             json_extract(action.target, '$.text')) AS element, -- what its element is called
    coalesce(action.recorded_value, action.value) AS value, -- what was typed, chosen or visited; never a secret
    action.status AS status, -- `pending`, `done`, `failed`, `cancelled` or `interrupted`
    action.settled AS settled, -- how the page came to rest
    page.url AS page, -- address of the page that it led to
    page.status AS http_status, -- of that page
    page.alerts AS alerts, -- JSON list: what that page shows as errors
    action.error AS error, -- why it failed
    round((action.ended_ns - action.started_ns) / 1e6, 1) AS ms, -- how long it took
    action.id AS id -- its id
FROM action
JOIN step ON step.id = action.step_id
JOIN actor ON actor.id = action.actor_id
LEFT JOIN page ON page.sha256 = action.after_page
ORDER BY step.run_id, step.ordinal, action.ordinal;

CREATE VIEW v_failures AS -- Each step that failed or was cut off, with the page that it failed on.
SELECT
    step.run_id AS run, -- the run
    run.kind AS kind, -- of the run
    run.persona AS persona, -- of the run
    step.ordinal + 1 AS step, -- place in the run, from 1
    step.task AS task, -- what the agent was at
    step.tool AS tool, -- which tool was called
    step.status AS status, -- `failed` or `interrupted`
    step.error_type AS error_type, -- kind of failure
    coalesce(step.error_message, last.error) AS error, -- what the agent was told, or why its last operation failed
    run.verdict AS verdict, -- what the run came to
    page.url AS page, -- address of the page that it was on
    page.title AS title, -- of that page
    page.status AS http_status, -- of that page
    page.alerts AS alerts, -- JSON list: what that page shows as errors
    page.snapshot AS snapshot, -- blob: that page as a tree, where it was kept
    json_extract(step.metadata, '$.screenshot') AS screenshot, -- blob: its picture, where it was kept
    step.started_at AS started_at, -- wall time
    step.id AS id -- the step's id
FROM step
JOIN run ON run.id = step.run_id
LEFT JOIN action AS last ON last.id = (
    SELECT other.id FROM action AS other JOIN step AS before ON before.id = other.step_id
    WHERE before.run_id = step.run_id AND before.ordinal <= step.ordinal
    ORDER BY before.ordinal DESC, other.ordinal DESC LIMIT 1)
LEFT JOIN page ON page.sha256 = coalesce(last.after_page, last.before_page)
WHERE step.status IN ('failed', 'interrupted')
ORDER BY step.run_id, step.ordinal;

CREATE VIEW v_created AS -- Each thing that users made on the site, with who made it.
SELECT
    created.kind AS kind, -- such as `book` or `message`
    created.url AS url, -- template: where it can be read back
    created.fields AS fields, -- JSON object: what it was given, as templates
    created.status AS status, -- `live`, or `removed` once it was cleaned up
    run.persona AS persona, -- whose
    json_extract(run.identity, '$.username') AS username, -- of the user who made it
    created.run_id AS run, -- the run
    step.ordinal + 1 AS step, -- the step that made it, from 1
    step.started_at AS made_at, -- wall time
    created.id AS id -- its id
FROM created
JOIN run ON run.id = created.run_id
JOIN step ON step.id = created.step_id
ORDER BY created.run_id, created.ordinal;

CREATE VIEW v_exchanges AS -- Each HTTP request with the step that caused it.
SELECT
    exchange.run_id AS run, -- the run
    step.ordinal + 1 AS step, -- the step that caused it, from 1
    exchange.ordinal AS number, -- order of sending
    exchange.initiator AS initiator, -- what it is for
    exchange.method AS method, -- HTTP method
    exchange.url AS url, -- template
    exchange.status AS status, -- HTTP status; 0 where no answer came
    exchange.error AS error, -- why no answer came
    round(json_extract(exchange.timings, '$.ended'), 1) AS ms, -- until its answer was whole
    exchange.id AS id -- its id
FROM exchange
LEFT JOIN step ON step.id = exchange.step_id
ORDER BY exchange.run_id, exchange.ordinal;

CREATE VIEW v_models AS -- What each run asked of each model.
SELECT
    llm_call.run_id AS run, -- the run
    llm_call.model AS model, -- as it calls itself
    count(*) AS calls, -- how many requests
    sum(json_extract(llm_call.usage, '$.input')) AS tokens_in, -- without those of the cache
    sum(json_extract(llm_call.usage, '$.cache_read')) AS tokens_cached, -- read from the cache
    sum(json_extract(llm_call.usage, '$.output')) AS tokens_out, -- of the answers
    sum(llm_call.status = 'failed') AS failed, -- without an answer
    round(sum(llm_call.ended_ns - llm_call.started_ns) / 1e9, 3) AS seconds -- waited for answers
FROM llm_call
GROUP BY llm_call.run_id, llm_call.model;
"""
