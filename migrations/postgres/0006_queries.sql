-- One row per tracked run of a query: what polling, long-polling and subscriptions read.
CREATE TABLE query_run (
  project_id integer NOT NULL REFERENCES project (id),
  -- client_query_id of the caller, or a made-up uuid.
  id varchar(200) NOT NULL,
  state text NOT NULL CHECK (state IN ('queued', 'running', 'complete', 'failed', 'cancelled')),
  request jsonb NOT NULL,
  cache_key text NOT NULL,
  -- Under which id the engine runs it: distinct for every attempt, so that a kill never hits another run.
  engine_query_id text NOT NULL,
  worker_id text,
  heartbeat_at timestamptz,
  error_message text,
  answer text,
  progress jsonb,
  -- Grows by one with every change that is published.
  sequence integer NOT NULL DEFAULT 0,
  queued_at timestamptz NOT NULL,
  picked_up_at timestamptz,
  ended_at timestamptz,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX query_run_waiting ON query_run (queued_at) WHERE state = 'queued';
CREATE INDEX query_run_active ON query_run (heartbeat_at) WHERE state = 'running';
CREATE INDEX query_run_expiry ON query_run (expires_at);
