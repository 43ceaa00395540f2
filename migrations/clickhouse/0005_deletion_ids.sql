-- Ids of a deletion that is under way, so that no mutation has to carry them in its text. A partition each, dropped at the end.
CREATE TABLE IF NOT EXISTS person_deletion_ids (
  deletion UInt64,
  kind LowCardinality(String),
  id String,
  version UInt64
) ENGINE = MergeTree
PARTITION BY deletion
ORDER BY (kind, id)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1,
         old_parts_lifetime = 10, finished_mutations_to_keep = 1;

-- Mutations of before carried ids in their text: the engine forgets them.
ALTER TABLE events MODIFY SETTING finished_mutations_to_keep = 1;
ALTER TABLE persons MODIFY SETTING finished_mutations_to_keep = 1;
ALTER TABLE session_replay_events MODIFY SETTING finished_mutations_to_keep = 1;
ALTER TABLE session_snapshots MODIFY SETTING finished_mutations_to_keep = 1;
ALTER TABLE log_entries MODIFY SETTING finished_mutations_to_keep = 1;
