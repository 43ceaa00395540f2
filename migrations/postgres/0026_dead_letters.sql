-- What a dead letter needs to be read by users and to be put back into the log.
ALTER TABLE ingest_dead_letter
  -- A word of DEAD_LETTER_REASONS; a process of an earlier release does not say, and what it leaves cannot be put back.
  ADD COLUMN reason_code text NOT NULL DEFAULT 'unknown',
  -- Cut to 200 characters; null where there is none.
  ADD COLUMN event_name text,
  ADD COLUMN received_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN client_ip text NOT NULL DEFAULT '',
  ADD COLUMN historical_migration boolean NOT NULL DEFAULT false,
  -- The event's uuid where it was noted in event_uuid: the note stays as long as the letter, and keeps repetitions out.
  ADD COLUMN noted_uuid uuid;
COMMENT ON COLUMN ingest_dead_letter.reason IS 'What the store or the code said.';

CREATE FUNCTION pg_temp.to_event(given text) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN CASE jsonb_typeof(given::jsonb) WHEN 'object' THEN given::jsonb END;
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END $$;
-- Events that got as far as being processed have the facts of their request in their text. Where the note of such an event is
-- gone, or is of another day and so perhaps that of a repetition which was stored, it goes by no note at all.
UPDATE ingest_dead_letter AS letter SET
  reason_code = CASE
    WHEN letter.event LIKE 'damaged:%' THEN 'unreadable_row'
    WHEN known.event IS NULL THEN 'unreadable_request'
    WHEN known.event ? 'receivedAtMs' THEN 'unprocessable'
    ELSE 'not_an_event' END,
  event_name = left(known.event ->> 'event', 200),
  received_at = coalesce(to_timestamp((known.event ->> 'receivedAtMs')::float8 / 1000), letter.created_at),
  client_ip = coalesce(known.event ->> 'clientIp', ''),
  historical_migration = coalesce((known.event ->> 'historicalMigration')::boolean, false),
  noted_uuid = (SELECT uuid FROM event_uuid
                 WHERE known.event ? 'receivedAtMs' AND project_id = letter.project_id
                   AND uuid = (known.event ->> 'uuid')::uuid
                   AND seen_on BETWEEN letter.created_at::date - 1 AND letter.created_at::date + 1)
FROM (SELECT id, pg_temp.to_event(event) AS event FROM ingest_dead_letter) AS known
WHERE known.id = letter.id;

-- For forgetting old uuids, and old letters.
CREATE INDEX ingest_dead_letter_noted ON ingest_dead_letter (project_id, noted_uuid) WHERE noted_uuid IS NOT NULL;
CREATE INDEX ingest_dead_letter_age ON ingest_dead_letter (created_at);
