-- Finds the events of a distinct id, as `person_index` finds those of a person (decision 0075).
ALTER TABLE events ADD INDEX IF NOT EXISTS distinct_id_index distinct_id TYPE bloom_filter GRANULARITY 1;
ALTER TABLE events MATERIALIZE INDEX distinct_id_index;
