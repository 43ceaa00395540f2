-- A second factor of people who sign in by password (decision 0082). The row goes when it is turned off.
CREATE TABLE user_totp (
  user_id integer PRIMARY KEY REFERENCES app_user (id),
  -- Base32, as authenticators take it; it has to be read to check a code.
  secret text NOT NULL,
  -- Null until a code has shown that the authenticator has the secret; only then codes are asked for.
  confirmed_at timestamptz,
  -- The stretch of 30 seconds since the epoch whose code was used last: that one and those before are used up.
  last_step bigint NOT NULL
);

-- Codes that stand in for one of the authenticator, each once. The row goes with the use.
CREATE TABLE user_recovery_code (
  user_id integer NOT NULL REFERENCES app_user (id),
  -- 'sha256$' and 64 hexadecimal digits of the code without its hyphens.
  hash text NOT NULL,
  PRIMARY KEY (user_id, hash)
);
