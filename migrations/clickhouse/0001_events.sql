-- Every table: project_id first in the key, exactly-once inserts by token (non_replicated_deduplication_window),
-- and parts that are on disk before the insert is answered (fsync_after_insert).
CREATE TABLE IF NOT EXISTS events (
  project_id Int64,
  uuid UUID,
  event String,
  distinct_id String,
  properties String CODEC(ZSTD(1)),
  elements_chain String CODEC(ZSTD(1)),
  -- Corrected time of the event; client_timestamp is what the client wrote, null when it wrote none that could be read.
  timestamp DateTime64(6, 'UTC'),
  client_timestamp Nullable(DateTime64(6, 'UTC')),
  -- When capture accepted it, and when this row was written.
  created_at DateTime64(6, 'UTC'),
  inserted_at DateTime64(3, 'UTC') DEFAULT now64(3),
  person_id UUID,
  person_created_at DateTime64(6, 'UTC'),
  person_properties String CODEC(ZSTD(1)),
  person_mode Enum8('full' = 0, 'propertyless' = 1, 'force_upgrade' = 2),
  `$session_id` String,
  `$window_id` String,
  `$group_0` String,
  `$group_1` String,
  `$group_2` String,
  `$group_3` String,
  `$group_4` String,
  historical_migration Bool,
  INDEX uuid_index uuid TYPE bloom_filter GRANULARITY 1,
  INDEX person_index person_id TYPE bloom_filter GRANULARITY 1
) ENGINE = MergeTree
PARTITION BY toYYYYMM(timestamp)
ORDER BY (project_id, toDate(timestamp), event, cityHash64(distinct_id), cityHash64(uuid))
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

-- Copies of PostgreSQL's persons, newest version wins (argMax by version).
CREATE TABLE IF NOT EXISTS persons (
  project_id Int64,
  id UUID,
  created_at DateTime64(6, 'UTC'),
  properties String CODEC(ZSTD(1)),
  is_identified Bool,
  is_deleted Bool,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (project_id, id)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS person_distinct_ids (
  project_id Int64,
  distinct_id String,
  person_id UUID,
  is_deleted Bool,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (project_id, distinct_id)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

-- Only ids whose person changed after events of theirs may have been stored (merges, splits): joined at query time so
-- that events stored under the old person are found under the surviving one.
CREATE TABLE IF NOT EXISTS person_distinct_id_overrides (
  project_id Int64,
  distinct_id String,
  person_id UUID,
  is_deleted Bool,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (project_id, distinct_id)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS groups (
  project_id Int64,
  group_type_index UInt8,
  group_key String,
  created_at DateTime64(6, 'UTC'),
  properties String CODEC(ZSTD(1)),
  is_deleted Bool,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (project_id, group_type_index, group_key)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
