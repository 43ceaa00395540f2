-- Whose turn it is to be counted stands in an index: looking for it must not read every playlist.
DELETE FROM session_recording_playlist_match;
ALTER TABLE session_recording_playlist_match DROP COLUMN attempted_at, ADD COLUMN due_at timestamptz NOT NULL;
CREATE INDEX session_recording_playlist_match_due ON session_recording_playlist_match (due_at, playlist_id);

-- New and changed filters are due once they have been left alone for a while.
CREATE FUNCTION note_saved_filters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO session_recording_playlist_match (playlist_id, due_at)
  VALUES (NEW.id, NEW.last_modified_at + interval '10 seconds')
  ON CONFLICT (playlist_id) DO UPDATE SET due_at = excluded.due_at;
  RETURN NULL;
END $$;
CREATE TRIGGER saved_filters_made AFTER INSERT ON session_recording_playlist
  FOR EACH ROW WHEN (NEW.filters IS NOT NULL AND NEW.filters <> '{}') EXECUTE FUNCTION note_saved_filters();
CREATE TRIGGER saved_filters_changed AFTER UPDATE ON session_recording_playlist
  FOR EACH ROW WHEN (NEW.filters IS DISTINCT FROM OLD.filters OR (OLD.deleted AND NOT NEW.deleted))
  EXECUTE FUNCTION note_saved_filters();

INSERT INTO session_recording_playlist_match (playlist_id, due_at)
SELECT id, last_modified_at FROM session_recording_playlist WHERE NOT deleted AND filters <> '{}';
