-- Which of a project's own properties has which spare column of events in ClickHouse. Rows are added and never changed:
-- an event whose row says that it knows three spares has been written by the rows 1 to 3, whoever wrote it and whenever.
CREATE TABLE property_spare (
  project_id integer NOT NULL,
  -- From 1 on, without gaps.
  spare smallint NOT NULL CHECK (spare > 0),
  name text NOT NULL,
  given_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, spare),
  UNIQUE (project_id, name)
);
