-- When a group's properties last changed; groups of before have when they were made.
ALTER TABLE groups ADD COLUMN IF NOT EXISTS updated_at DateTime64(6, 'UTC') DEFAULT created_at;
