-- Members of static cohorts that ClickHouse may not have heard of yet; a row goes once it has. The number is the version of
-- the copy there: two changes of one member are made one after the other, as its row is locked by the first.
CREATE TABLE cohort_member_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL,
  cohort_id integer NOT NULL,
  person_id uuid NOT NULL,
  is_deleted boolean NOT NULL
);

-- Triggers, so that whoever changes members (people, merges, deletions of persons) leaves a note in the same transaction.
CREATE FUNCTION cohort_members_came() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Waits for a deletion of the cohort that is under way, or makes it wait: one of the two sees the other.
  PERFORM 1 FROM cohort WHERE id IN (SELECT cohort_id FROM changed) ORDER BY id FOR SHARE;
  INSERT INTO cohort_member_change (project_id, cohort_id, person_id, is_deleted)
  SELECT changed.project_id, changed.cohort_id, changed.person_id, cohort.deleted
    FROM changed JOIN cohort ON cohort.id = changed.cohort_id;
  RETURN NULL;
END
$$;
CREATE FUNCTION cohort_members_went() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cohort_member_change (project_id, cohort_id, person_id, is_deleted)
  SELECT project_id, cohort_id, person_id, true FROM changed;
  RETURN NULL;
END
$$;
CREATE TRIGGER cohort_members_came AFTER INSERT ON cohort_member
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION cohort_members_came();
CREATE TRIGGER cohort_members_went AFTER DELETE ON cohort_member
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION cohort_members_went();

-- A deleted cohort keeps its members here, for whoever brings it back; queries do not see them.
CREATE FUNCTION cohort_deleted_or_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cohort_member_change (project_id, cohort_id, person_id, is_deleted)
  SELECT project_id, cohort_id, person_id, NEW.deleted FROM cohort_member WHERE cohort_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER cohort_deleted_or_back AFTER UPDATE OF deleted ON cohort
  FOR EACH ROW WHEN (OLD.deleted IS DISTINCT FROM NEW.deleted) EXECUTE FUNCTION cohort_deleted_or_back();

-- Members from before there were copies.
INSERT INTO cohort_member_change (project_id, cohort_id, person_id, is_deleted)
SELECT member.project_id, member.cohort_id, member.person_id, false
  FROM cohort_member AS member JOIN cohort ON cohort.id = member.cohort_id WHERE NOT cohort.deleted;
