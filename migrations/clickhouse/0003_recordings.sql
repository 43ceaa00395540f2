-- Recorded items of a session as lines of JSON, `[windowId, item]` each, in the order of time; at most about 1 MB a row.
CREATE TABLE IF NOT EXISTS session_snapshots (
  project_id Int64,
  session_id String,
  -- Uuid of the first message of the block, and the number of the row within the block.
  block_uuid UUID,
  part UInt16,
  first_timestamp DateTime64(3, 'UTC'),
  last_timestamp DateTime64(3, 'UTC'),
  lines String CODEC(ZSTD(3)),
  -- When the project's retention ends, as it was when the row was written.
  expires_at DateTime('UTC')
) ENGINE = MergeTree
PARTITION BY toYYYYMM(first_timestamp)
ORDER BY (project_id, session_id, first_timestamp, block_uuid, part)
TTL expires_at
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

-- Rows without an end of their own stay: the default is the last second that the type holds.
ALTER TABLE session_replay_events ADD COLUMN IF NOT EXISTS expires_at DateTime('UTC') DEFAULT toDateTime(4294967295, 'UTC');
ALTER TABLE session_replay_events MODIFY TTL expires_at;
ALTER TABLE log_entries ADD COLUMN IF NOT EXISTS expires_at DateTime('UTC') DEFAULT toDateTime(4294967295, 'UTC');
ALTER TABLE log_entries MODIFY TTL expires_at;

-- Sessions whose recording was deleted: whatever still arrives of them is not stored and not shown.
CREATE TABLE IF NOT EXISTS session_recording_deletions (
  project_id Int64,
  session_id String,
  deleted_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(deleted_at)
ORDER BY (project_id, session_id)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

-- What plugins say while they work, per configuration. Not partitioned: clients write the times.
CREATE TABLE IF NOT EXISTS plugin_log_entries (
  project_id Int64,
  plugin_config_id Int64,
  plugin_id Int64,
  id UUID,
  timestamp DateTime64(6, 'UTC'),
  source LowCardinality(String),
  type LowCardinality(String),
  message String CODEC(ZSTD(1)),
  instance_id UUID,
  inserted_at DateTime('UTC')
) ENGINE = MergeTree
ORDER BY (project_id, plugin_config_id, timestamp, id)
TTL inserted_at + INTERVAL 90 DAY
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
