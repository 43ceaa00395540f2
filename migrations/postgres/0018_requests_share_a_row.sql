-- One row of the ingest log holds the requests of a project that were committed together: a line of JSON that says what each
-- of them is, then their texts, compressed where that is worth it (capture/log/logged-requests.ts). Rows that wait keep their
-- ids, which a slice may have written down.
ALTER TABLE ingest_log
  -- Of the row once it is unpacked, which is what it takes in memory.
  ADD COLUMN byte_count integer,
  ADD COLUMN requests bytea;
UPDATE ingest_log SET
  byte_count = octet_length(events),
  requests = convert_to(
    jsonb_build_array(jsonb_build_array((extract(epoch FROM received_at) * 1000)::bigint, client_ip, historical_migration,
                                        event_count, octet_length(events)))::text || E'\n' || events, 'UTF8');
ALTER TABLE ingest_log
  ALTER COLUMN byte_count SET NOT NULL,
  ALTER COLUMN requests SET NOT NULL,
  -- What is long has been compressed before it comes here.
  ALTER COLUMN requests SET STORAGE EXTERNAL,
  DROP COLUMN client_ip,
  DROP COLUMN historical_migration,
  DROP COLUMN events;
COMMENT ON COLUMN ingest_log.received_at IS 'When the oldest request of the row came.';
