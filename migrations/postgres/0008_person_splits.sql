-- Splits that ClickHouse may not have heard of yet; a row goes once it has. What it must hear is read when it is told, so
-- that it is never older than what ingestion has written since.
CREATE TABLE person_split (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL,
  -- The ids that got persons of their own.
  distinct_ids text[] NOT NULL
);
