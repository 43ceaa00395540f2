-- A role that reads everything of an organization and changes nothing in it (decision 0077).
ALTER TABLE organization_membership
  DROP CONSTRAINT organization_membership_role_check,
  ADD CONSTRAINT organization_membership_role_check CHECK (role IN ('owner', 'admin', 'member', 'viewer'));
ALTER TABLE organization_invitation
  DROP CONSTRAINT organization_invitation_role_check,
  ADD CONSTRAINT organization_invitation_role_check CHECK (role IN ('owner', 'admin', 'member', 'viewer'));
