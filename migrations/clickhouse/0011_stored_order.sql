-- Where a row lies in the order in which rows were stored (decision 0073); zero in rows of before, which nobody resumes at.
-- The index keeps a search for what is new away from old parts.
ALTER TABLE events
  ADD COLUMN IF NOT EXISTS batch UInt64 DEFAULT 0 CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS batch_position UInt32 DEFAULT 0 CODEC(ZSTD(1)),
  ADD INDEX IF NOT EXISTS batch_index batch TYPE minmax GRANULARITY 1;
ALTER TABLE events MATERIALIZE INDEX batch_index;

ALTER TABLE session_replay_events
  ADD COLUMN IF NOT EXISTS batch UInt64 DEFAULT 0,
  ADD COLUMN IF NOT EXISTS batch_position UInt32 DEFAULT 0,
  ADD INDEX IF NOT EXISTS batch_index batch TYPE minmax GRANULARITY 1;
ALTER TABLE session_replay_events MATERIALIZE INDEX batch_index;

ALTER TABLE plugin_log_entries
  ADD COLUMN IF NOT EXISTS position UInt64 DEFAULT 0,
  ADD INDEX IF NOT EXISTS position_index position TYPE minmax GRANULARITY 1;
ALTER TABLE plugin_log_entries MATERIALIZE INDEX position_index;
