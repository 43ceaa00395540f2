-- The request of a run as it came: jsonb takes no NUL in a text, and nothing looks into it here.
ALTER TABLE query_run ALTER COLUMN request TYPE text USING request::text;
-- The lines of one project, counted before another run joins it.
CREATE INDEX query_run_queued_of_project ON query_run (project_id) WHERE state = 'queued';
