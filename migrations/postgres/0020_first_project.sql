-- The first start makes project 1 under that very number; numbers that the sequence gives begin behind it.
SELECT setval(pg_get_serial_sequence('project', 'id'), greatest(1, (SELECT max(id) FROM project)));
