-- Code of the fault that a run failed with and its place in the text: {code, start, end}; start and end are null without a place.
ALTER TABLE query_run ADD COLUMN error jsonb;
