-- Columns that each project has for the properties it uses most, as `property_spare` in PostgreSQL says. `spare_count` is how
-- many of them the writer of the row knew: spares up to it hold what the text says, the others nothing. Rows of before,
-- and of programs that do not know the columns, know none.
ALTER TABLE events
  ADD COLUMN IF NOT EXISTS spare_count UInt8,
  ADD COLUMN IF NOT EXISTS spare_1 Nullable(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS spare_2 Nullable(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS spare_3 Nullable(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS spare_4 Nullable(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS spare_5 Nullable(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS spare_6 Nullable(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS spare_7 Nullable(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS spare_8 Nullable(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS spare_9 Nullable(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS spare_10 Nullable(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS spare_11 Nullable(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS spare_12 Nullable(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS spare_13 Nullable(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS spare_14 Nullable(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS spare_15 Nullable(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS spare_16 Nullable(String) CODEC(ZSTD(1));
