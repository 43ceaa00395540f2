-- People sign in by browser (decision 0077); keys stay what machines have.

-- `scrypt$N$r$p$salt$hash`, the last two in base64url; who has no row cannot sign in by password.
CREATE TABLE user_password (
  user_id integer PRIMARY KEY REFERENCES app_user (id),
  hash text NOT NULL,
  changed_at timestamptz NOT NULL
);

-- A browser that is signed in. The row goes with the session.
CREATE TABLE browser_session (
  id uuid PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id),
  -- 'sha256$' and 64 hexadecimal digits of the value of the cookie.
  hash text NOT NULL UNIQUE,
  user_agent text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  -- Moves on as the session is used.
  expires_at timestamptz NOT NULL
);
CREATE INDEX browser_session_of_user ON browser_session (user_id, created_at);

-- Links that open one thing once. The row goes with the use.
CREATE TABLE one_time_link (
  -- 'sha256$' and 64 hexadecimal digits of the token in the link.
  hash text PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('first owner', 'reset password')),
  -- Null for the first owner, who is whoever has the link.
  user_id integer REFERENCES app_user (id),
  expires_at timestamptz NOT NULL
);
CREATE INDEX one_time_link_of_user ON one_time_link (user_id);
