"""The statements that a run is written with, step by step. Not responsible for: the tables (``schema``), or values."""

from __future__ import annotations

BEGIN_STEP = """
INSERT INTO step (id, run_id, ordinal, batch_ordinal, tool, call_id, replay, task, input, withheld, status,
                  started_at, started_ns, change)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?)"""
END_STEP = """
UPDATE step SET success = ?, result = ?, error_type = ?, error_message = ?, images = ?, metadata = ?,
                status = ?, ended_at = ?, ended_ns = ?, change = ?
WHERE id = ?"""
BEGIN_ACTION = """
INSERT INTO action (id, step_id, ordinal, actor_id, kind, target, value, recorded_value, aim, choice, options,
                    before_page, status, started_at, started_ns, change)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?)"""
END_ACTION = """
UPDATE action SET status = ?, settled = ?, after_page = ?, error = ?, ended_at = ?, ended_ns = ?, change = ?
WHERE id = ?"""
STOPPED = "UPDATE action SET options = json_set(options, '$.stopped', ?) WHERE id = ?"
OPTIONAL = "UPDATE action SET options = json_set(options, '$.optional', json('true')) WHERE id = ?"
PUT_AWAY = "UPDATE action SET options = json_set(options, '$.put_away', json('true')) WHERE id = ?"
READS = "UPDATE action SET options = json_set(options, '$.reads', ?) WHERE id = ?"
SENT = "UPDATE action SET options = json_set(options, '$.sent', ?) WHERE id = ?"
SETS = "UPDATE action SET options = json_set(options, '$.sets', json(?)) WHERE id = ?"
INTERRUPT_ACTIONS = """
UPDATE action SET status = 'interrupted', change = ? WHERE step_id = ? AND status = 'pending'"""
SET_VARIABLE = """
INSERT INTO variable (run_id, name, kind, value, step_id, action_id) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (run_id, name) DO UPDATE SET kind = excluded.kind, value = excluded.value,
                                         step_id = excluded.step_id, action_id = excluded.action_id"""
