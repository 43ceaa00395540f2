-- Who a user is to an OpenID Connect provider (decision 0077).
CREATE TABLE user_identity (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id integer NOT NULL REFERENCES app_user (id),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX user_identity_of_user ON user_identity (user_id);
