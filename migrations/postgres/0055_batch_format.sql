-- How a batch is split and under which tokens it is stored (decision 0097).
ALTER TABLE ingest_slice ADD COLUMN format smallint NOT NULL DEFAULT 1;
