-- Whether ordinary members may use personal keys on what the organization owns; its admins and owners always may.
ALTER TABLE organization ADD COLUMN members_can_use_personal_api_keys boolean NOT NULL DEFAULT true;
