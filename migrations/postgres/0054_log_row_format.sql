-- Releases work side by side while one replaces the other, so what one writes for another to read says in which form it is. A
-- release takes what is in forms that it knows, and leaves the rest to one that knows them (decision 0097). The default is
-- the form of releases that name none.
ALTER TABLE ingest_log ADD COLUMN format smallint NOT NULL DEFAULT 1;
