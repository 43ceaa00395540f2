-- Accepted events on their way to ClickHouse: what capture appended and ingestion has not yet stored. One row is the
-- accepted events of one request. Rows live for seconds, so autovacuum works by count instead of by share of the table.
CREATE TABLE ingest_log (
  -- Order of arrival. Ingestion reads the rows of a shard (project_id % shards) in this order and deletes them.
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL,
  received_at timestamptz NOT NULL,
  client_ip text NOT NULL,
  historical_migration boolean NOT NULL,
  event_count integer NOT NULL,
  -- JSON array of AcceptedEvent. Text, because nothing looks into it here and checking it again costs time.
  events text NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_scale_factor = 1);
-- Compressing takes longer than writing rows that are deleted again so soon.
ALTER TABLE ingest_log ALTER COLUMN events SET STORAGE EXTERNAL;

-- The slice that a shard is working on. Written down before anything is made of it, so that after a crash the very same
-- rows go to ClickHouse with the very same token, and are stored once.
CREATE TABLE ingest_slice (
  shard integer PRIMARY KEY,
  token uuid NOT NULL,
  row_ids bigint[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Events that a store refused, each with the reason.
CREATE TABLE ingest_dead_letter (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL,
  -- JSON of the AcceptedEvent.
  event text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ingest_dead_letter_of_project ON ingest_dead_letter (project_id, id);

-- What was dropped or changed, for users to read: one row for each day, rule and event name, with the newest example.
CREATE TABLE ingestion_warning (
  project_id integer NOT NULL,
  day date NOT NULL,
  reason text NOT NULL,
  -- Empty for an event without a name.
  event text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('dropped', 'changed')),
  occurrences bigint NOT NULL,
  last_at timestamptz NOT NULL,
  last_distinct_id text,
  last_uuid text,
  last_detail text,
  PRIMARY KEY (project_id, day, reason, event)
);
