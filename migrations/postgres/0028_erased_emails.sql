-- Addresses of the persons that a deletion takes from conditions; none once it is done.
ALTER TABLE person_deletion ADD COLUMN email text;
