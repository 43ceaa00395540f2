-- One id that PostgreSQL and ClickHouse both have, so that neither is used with another one's data.
CREATE TABLE store_pair (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- False until the id is in ClickHouse, too; a first start that was broken off goes on from there.
  is_in_click_house boolean NOT NULL DEFAULT false,
  is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row)
);
INSERT INTO store_pair DEFAULT VALUES;
