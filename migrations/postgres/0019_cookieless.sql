-- What the ids of visitors without cookies are hashed with, one salt for each day anywhere. It goes when no event of its day can
-- come any more: then nobody can work out an id again.
CREATE TABLE cookieless_salt (
  day date PRIMARY KEY,
  salt bytea NOT NULL CHECK (octet_length(salt) = 16)
);

-- Browsers without cookies on one day: how often somebody has logged in there, and the session that goes on. Goes with the salt.
CREATE TABLE cookieless_visitor (
  project_id integer NOT NULL,
  day date NOT NULL,
  -- The distinct id that the browser has before anybody logs in.
  device_id text NOT NULL,
  logins integer NOT NULL,
  session_id uuid NOT NULL,
  -- By the clock of its events.
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (day, project_id, device_id)
) WITH (fillfactor = 85);
