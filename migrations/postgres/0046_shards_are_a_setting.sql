-- How many shards the projects are spread over: shard = project_id % shard_count. Ingesters change it while none of them runs.
CREATE TABLE ingest_sharding (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  shard_count integer NOT NULL CHECK (shard_count > 0)
);
INSERT INTO ingest_sharding (shard_count) VALUES (4);

-- Finds the projects that wait and the oldest rows of each, whatever the number of shards is.
CREATE INDEX ingest_log_of_waiting_project ON ingest_log (project_id, id);
DROP INDEX ingest_log_of_project;
