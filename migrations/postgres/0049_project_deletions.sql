-- Deletes rows of a table with all rows that refer to them, directly or through others, whatever tables there are. References
-- that say themselves what becomes of them are left to do so: users stay, without their places.
CREATE FUNCTION delete_with_references(parent regclass, condition text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM delete_references(parent, condition);
  EXECUTE format('DELETE FROM %s WHERE %s', parent, condition);
END
$$;
CREATE FUNCTION delete_references(parent regclass, condition text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE reference record;
BEGIN
  FOR reference IN
    SELECT c.conrelid::regclass AS child, child_column.attname AS child_column, parent_column.attname AS parent_column
      FROM pg_constraint AS c
      JOIN pg_attribute AS child_column ON child_column.attrelid = c.conrelid AND child_column.attnum = c.conkey[1]
      JOIN pg_attribute AS parent_column ON parent_column.attrelid = c.confrelid AND parent_column.attnum = c.confkey[1]
     WHERE c.contype = 'f' AND c.confrelid = parent AND c.conrelid <> parent AND c.confdeltype = 'a'
       AND cardinality(c.conkey) = 1
  LOOP
    PERFORM delete_with_references(reference.child, format('%I IN (SELECT %I FROM %s WHERE %s)',
      reference.child_column, reference.parent_column, parent, condition));
  END LOOP;
END
$$;

-- Projects of which something is left in tables that nothing refers to, in ClickHouse or in the ingest log.
CREATE TABLE project_deletion (
  project_id integer PRIMARY KEY,
  requested_at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL DEFAULT '-infinity'
);

-- An empty binding of a key would be none: a key that is bound to nothing but what goes is deleted as well.
CREATE FUNCTION project_is_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM delete_references('project', format('id = %L', OLD.id));
  PERFORM delete_with_references('personal_key', format('project_ids <@ ARRAY[%L::integer]', OLD.id));
  UPDATE personal_key SET project_ids = array_remove(project_ids, OLD.id) WHERE project_ids @> ARRAY[OLD.id];
  INSERT INTO project_deletion (project_id) VALUES (OLD.id);
  RETURN OLD;
END
$$;
CREATE TRIGGER project_is_deleted BEFORE DELETE ON project FOR EACH ROW EXECUTE FUNCTION project_is_deleted();

CREATE FUNCTION organization_is_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM delete_references('organization', format('id = %L', OLD.id));
  PERFORM delete_with_references('personal_key', format('organization_ids <@ ARRAY[%L::uuid]', OLD.id));
  UPDATE personal_key SET organization_ids = array_remove(organization_ids, OLD.id) WHERE organization_ids @> ARRAY[OLD.id];
  RETURN OLD;
END
$$;
CREATE TRIGGER organization_is_deleted BEFORE DELETE ON organization
  FOR EACH ROW EXECUTE FUNCTION organization_is_deleted();
