-- Lets the owner of a shard see which projects wait and take the oldest rows of each, and tells how far one project is stored,
-- whatever another has waiting. 4 is SHARD_COUNT of the ingestion.
CREATE INDEX ingest_log_of_project ON ingest_log ((project_id % 4), project_id, id);
DROP INDEX ingest_log_of_shard;
