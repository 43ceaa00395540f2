-- The order in which things are stored, for whoever watches them and resumes (decision 0073).
--
-- Batches of the ingest log have numbers. A shard has one batch at a time, so of a project's events those of a lower number
-- were stored before those of a higher one, and everything up to `last_batch` is stored. Processes of before this write
-- neither; the default numbers their batches too.
CREATE SEQUENCE ingest_batch_number;
ALTER TABLE ingest_slice ADD COLUMN number bigint NOT NULL DEFAULT nextval('ingest_batch_number');
ALTER TABLE ingest_progress ADD COLUMN last_batch bigint NOT NULL DEFAULT 0;

-- Entries of a plugin's log have positions, which are given out before ClickHouse has them. What is given out and not yet
-- stored has a row in `plugin_log_append`: nobody reads beyond the lowest.
CREATE TABLE plugin_log_position (
  project_id integer NOT NULL,
  plugin_config_id integer NOT NULL,
  last_position bigint NOT NULL,
  PRIMARY KEY (project_id, plugin_config_id)
);
CREATE TABLE plugin_log_append (
  project_id integer NOT NULL,
  plugin_config_id integer NOT NULL,
  first_position bigint NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, plugin_config_id, first_position)
);
