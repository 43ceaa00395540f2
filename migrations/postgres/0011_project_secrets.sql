-- Secret keys of a project (phs_), for server SDKs that fetch flag definitions. Two are live while one is being replaced.
CREATE TABLE project_secret (
  id uuid PRIMARY KEY,
  project_id integer NOT NULL REFERENCES project (id),
  -- 'sha256$' and 64 hexadecimal digits.
  hash text NOT NULL UNIQUE,
  -- First and last four characters, to recognise the key by.
  hint text NOT NULL,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX project_secret_live ON project_secret (project_id, created_at) WHERE revoked_at IS NULL;
