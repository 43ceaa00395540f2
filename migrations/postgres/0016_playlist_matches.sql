-- How many recordings the saved filters of a playlist find, counted in the background.
CREATE TABLE session_recording_playlist_match (
  playlist_id integer PRIMARY KEY REFERENCES session_recording_playlist (id),
  -- When it was last this playlist's turn, whatever came of it.
  attempted_at timestamptz NOT NULL,
  -- What was counted. The rest is about these filters and says nothing of others.
  filters jsonb,
  -- Newest first and cut; null when these filters cannot be counted.
  session_ids text[],
  has_more boolean,
  -- What the same filters found the time before.
  previous_count integer,
  counted_at timestamptz
);
