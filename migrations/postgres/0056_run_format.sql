-- In which form the request of a run is (decision 0097).
ALTER TABLE query_run ADD COLUMN format smallint NOT NULL DEFAULT 1;
