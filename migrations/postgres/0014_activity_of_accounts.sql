-- What happened outside projects: in an organization, or to a user's own keys. Readers ask for both at once.
CREATE INDEX activity_log_of_organization ON activity_log (organization_id, created_at DESC, id DESC)
  WHERE project_id IS NULL AND organization_id IS NOT NULL;
CREATE INDEX activity_log_of_user ON activity_log (user_id, created_at DESC, id DESC)
  WHERE project_id IS NULL AND organization_id IS NULL;
