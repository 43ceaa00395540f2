-- What people say of the names of events and properties (decision 0093).
CREATE TABLE definition_note (
  project_id integer NOT NULL REFERENCES project (id),
  kind text NOT NULL CHECK (kind IN ('event', 'event_property', 'person_property', 'group_property')),
  -- Type of the group for kind group_property, -1 otherwise.
  group_type_index smallint NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  owner_id integer REFERENCES app_user (id),
  verified boolean NOT NULL,
  tags text[] NOT NULL,
  hidden boolean NOT NULL,
  last_modified_at timestamptz NOT NULL,
  last_modified_by_id integer,
  PRIMARY KEY (project_id, kind, group_type_index, name)
);

-- Every name that ingestion has seen, with what is said of it.
CREATE VIEW definition AS
  SELECT project_id, kind, group_type_index, name, known.property_type, known.created_at,
         coalesce(note.description, '') AS description, note.owner_id, coalesce(note.verified, false) AS verified,
         coalesce(note.tags, '{}') AS tags, coalesce(note.hidden, false) AS hidden,
         note.last_modified_at, note.last_modified_by_id
    FROM (
      SELECT project_id, 'event' AS kind, (-1)::smallint AS group_type_index, name, NULL AS property_type, created_at
        FROM event_definition
      UNION ALL
      SELECT project_id, kind || '_property', group_type_index, name, property_type, NULL
        FROM property_definition
    ) known LEFT JOIN definition_note note USING (project_id, kind, group_type_index, name);

-- The moment that the last finished backup holds (decision 0084).
CREATE TABLE last_backup (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  taken_at timestamptz NOT NULL
);
