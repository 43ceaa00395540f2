-- What ingestion keeps per project. No foreign keys to project here: a check per row would cost more than the row itself
-- in a slice of ten thousand, and every row comes from a project key that was looked up.

-- A deleted person stays as a tombstone without properties, so that versions never go back when its id is used again.
CREATE TABLE person (
  project_id integer NOT NULL,
  id uuid NOT NULL,
  properties jsonb NOT NULL,
  -- Copy of properties.email in lower case, written by ingestion. An index on an expression of properties would make every
  -- change of any property rewrite every index entry of the row.
  email text,
  is_identified boolean NOT NULL,
  is_deleted boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (project_id, id)
) WITH (fillfactor = 85);
CREATE INDEX person_newest ON person (project_id, created_at DESC, id) WHERE NOT is_deleted;
CREATE INDEX person_email ON person (project_id, email) WHERE email IS NOT NULL;

-- person_id is null once the person was deleted; the row keeps the version.
CREATE TABLE person_distinct_id (
  project_id integer NOT NULL,
  distinct_id text NOT NULL,
  person_id uuid,
  version bigint NOT NULL,
  PRIMARY KEY (project_id, distinct_id)
);
CREATE INDEX person_distinct_id_of_person ON person_distinct_id (project_id, person_id);

-- Ids that have events without a person profile: when they later join a person of another id, they need an override.
CREATE TABLE personless_distinct_id (
  project_id integer NOT NULL,
  distinct_id text NOT NULL,
  PRIMARY KEY (project_id, distinct_id)
);

CREATE TABLE group_type (
  project_id integer NOT NULL,
  type_index smallint NOT NULL CHECK (type_index BETWEEN 0 AND 4),
  name text NOT NULL,
  PRIMARY KEY (project_id, type_index),
  UNIQUE (project_id, name)
);

CREATE TABLE group_entry (
  project_id integer NOT NULL,
  type_index smallint NOT NULL,
  group_key text NOT NULL,
  properties jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (project_id, type_index, group_key)
);

-- Uuids of stored events, for exact deduplication. The day is indexed for cleaning up only: it repeats, so the index is small.
CREATE TABLE event_uuid (
  project_id integer NOT NULL,
  uuid uuid NOT NULL,
  seen_on date NOT NULL,
  PRIMARY KEY (project_id, uuid)
);
CREATE INDEX event_uuid_day ON event_uuid (seen_on);

-- Names that occurred, with the type their values suggest: what queries use to compare numbers as numbers.
CREATE TABLE event_definition (
  project_id integer NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, name)
);
CREATE TABLE property_definition (
  project_id integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('event', 'person', 'group')),
  -- Type of the group for kind group, -1 otherwise.
  group_type_index smallint NOT NULL DEFAULT -1,
  name text NOT NULL,
  property_type text NOT NULL CHECK (property_type IN ('String', 'Numeric', 'Boolean', 'DateTime')),
  PRIMARY KEY (project_id, kind, group_type_index, name)
);

-- Events that went through, per shard; counted in the transaction that stores them, so the numbers survive everything.
CREATE TABLE ingest_progress (
  shard integer PRIMARY KEY,
  stored bigint NOT NULL,
  -- Duplicates, events that a rule drops, and dead letters.
  dropped bigint NOT NULL
);

-- Deletions that ClickHouse may not have heard of yet; a row goes once it has.
CREATE TABLE person_deletion (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL,
  person_id uuid NOT NULL,
  -- Version of the person's tombstone.
  version bigint NOT NULL,
  -- JSON array of {distinctId, version}: the ids that were freed.
  distinct_ids jsonb NOT NULL,
  delete_events boolean NOT NULL,
  requested_at timestamptz NOT NULL
);

-- Lets the owner of a shard find its own requests behind a backlog of another shard. 4 is SHARD_COUNT of the ingestion.
CREATE INDEX ingest_log_of_shard ON ingest_log ((project_id % 4), id);
