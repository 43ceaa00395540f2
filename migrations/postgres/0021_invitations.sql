-- Somebody who was known already and is asked to join an organization; the membership begins when they accept.
CREATE TABLE organization_invitation (
  organization_id uuid NOT NULL REFERENCES organization (id),
  user_id integer NOT NULL REFERENCES app_user (id),
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  -- 'sha256$' and 64 hexadecimal digits of the token that the inviter hands over.
  hash text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, user_id)
);
