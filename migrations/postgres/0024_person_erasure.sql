-- One request deletes many persons; its rows are worked on together and tried again together.
CREATE SEQUENCE person_deletion_request;
ALTER TABLE person_deletion
  ADD COLUMN request_id bigint NOT NULL DEFAULT nextval('person_deletion_request'),
  -- Whether queries have been told: from then on only what is stored has to go.
  ADD COLUMN is_hidden boolean NOT NULL DEFAULT false,
  -- Runs that may have read the persons when the last of them was gone from ClickHouse; null before.
  ADD COLUMN awaited_runs text[],
  ADD COLUMN attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN due_at timestamptz NOT NULL DEFAULT '-infinity';
CREATE INDEX person_deletion_of_request ON person_deletion (request_id);

-- What is left of deleted persons: versions that never go back, under hashes of their ids.
CREATE TABLE person_tombstone_salt (
  project_id integer PRIMARY KEY,
  salt bytea NOT NULL CHECK (octet_length(salt) = 32)
);
CREATE TABLE person_tombstone (
  project_id integer NOT NULL,
  hash bytea NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (project_id, hash)
);
CREATE FUNCTION person_tombstone_hash(salt bytea, kind text, id text) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(salt || convert_to(kind || ' ' || id, 'UTF8'))
$$;

-- Part of the key of every cached answer: raised when persons are deleted.
CREATE TABLE query_generation (
  project_id integer PRIMARY KEY,
  generation bigint NOT NULL
);
