-- Whether the recordings of a deleted person go too.
ALTER TABLE person_deletion ADD COLUMN delete_recordings boolean NOT NULL DEFAULT false;
