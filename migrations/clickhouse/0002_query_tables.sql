-- Recording counters, one row per session and block; queries add the blocks of a session up.
CREATE TABLE IF NOT EXISTS session_replay_events (
  project_id Int64,
  session_id String,
  distinct_id String,
  first_timestamp DateTime64(6, 'UTC'),
  last_timestamp DateTime64(6, 'UTC'),
  first_url String,
  urls Array(String),
  click_count Int64,
  keypress_count Int64,
  mouse_activity_count Int64,
  active_milliseconds Int64,
  console_log_count Int64,
  console_warn_count Int64,
  console_error_count Int64,
  size Int64,
  event_count Int64,
  message_count Int64,
  snapshot_source LowCardinality(String) DEFAULT 'web',
  snapshot_library String,
  inserted_at DateTime64(3, 'UTC') DEFAULT now64(3)
) ENGINE = MergeTree
PARTITION BY toYYYYMM(first_timestamp)
ORDER BY (project_id, toDate(first_timestamp), session_id)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

-- Who belongs to a cohort, newest version wins; static cohorts are lists, the others are worked out.
CREATE TABLE IF NOT EXISTS cohort_people (
  project_id Int64,
  cohort_id Int64,
  person_id UUID,
  is_static Bool,
  is_deleted Bool,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (project_id, cohort_id, person_id)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

-- Log lines of plugins (log_source 'plugin') and of recorded sessions (log_source 'session_replay').
CREATE TABLE IF NOT EXISTS log_entries (
  project_id Int64,
  log_source LowCardinality(String),
  log_source_id String,
  instance_id String,
  timestamp DateTime64(6, 'UTC'),
  level LowCardinality(String),
  message String CODEC(ZSTD(1))
) ENGINE = MergeTree
PARTITION BY toYYYYMM(timestamp)
ORDER BY (project_id, log_source, log_source_id, timestamp)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
