-- Deletions of events by name, property or time, and by retention (decision 0088). Rows stay when they are done, for whoever
-- wants to know what was deleted. Their ids and those of persons' deletions never meet, as both name rows in ClickHouse.
CREATE TABLE event_deletion (
  id bigint PRIMARY KEY DEFAULT nextval('person_deletion_request'),
  project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  reason text NOT NULL CHECK (reason IN ('requested', 'retention')),
  -- {names, from, before, properties}; null for what does not matter. Times are ISO 8601.
  selection jsonb NOT NULL,
  -- Null for retention.
  requested_by_id integer,
  -- What was accepted until then is deleted.
  requested_at timestamptz NOT NULL,
  -- How many there were then, and how many are left.
  event_count bigint NOT NULL,
  remaining_count bigint NOT NULL,
  -- Whether no event can come any more that it is about, and the rows of their sessions have been noted as stale.
  is_settled boolean NOT NULL DEFAULT false,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT '-infinity',
  finished_at timestamptz
);
CREATE INDEX event_deletion_newest ON event_deletion (project_id, requested_at DESC, id DESC);
-- What is left to do; of retention one at a time in each project.
CREATE INDEX event_deletion_unfinished ON event_deletion (due_at) WHERE finished_at IS NULL;
CREATE UNIQUE INDEX event_deletion_of_retention ON event_deletion (project_id)
  WHERE reason = 'retention' AND finished_at IS NULL;

-- Ids of deletions that have rows of ids in ClickHouse.
CREATE VIEW unfinished_deletion (id) AS
  SELECT request_id FROM person_deletion UNION SELECT id FROM event_deletion WHERE finished_at IS NULL;
