-- Sessions, kept up by every insert into `events` (decision 0058). Each column may be given the same events again
-- without changing, so that neither a batch that is replayed nor a session that is filled in twice counts double.
CREATE TABLE IF NOT EXISTS session_rollup (
  project_id Int64,
  -- Days from 1970 to the time that the session id, a UUID of version 7, was made at.
  day UInt32,
  session_id String,
  -- The earliest event, and the earliest and latest page or screen. Ordered by time and uuid, so that the result does
  -- not depend on the order of inserts. Without a page both hold a time that no event has: the latest possible and the earliest.
  first SimpleAggregateFunction(min, Tuple(at DateTime64(6, 'UTC'), uuid UUID, distinct_id String)) CODEC(ZSTD(1)),
  last_at SimpleAggregateFunction(max, DateTime64(6, 'UTC')),
  entry SimpleAggregateFunction(min, Tuple(
    at DateTime64(6, 'UTC'), uuid UUID, current_url String, pathname String, hostname String, referring_domain String,
    utm_source String, utm_medium String, utm_campaign String, utm_term String, utm_content String,
    gclid String, gad_source String, gclsrc String, dclid String, gbraid String, wbraid String, fbclid String,
    msclkid String, twclid String, li_fat_id String, mc_cid String, igshid String, ttclid String)) CODEC(ZSTD(1)),
  exit SimpleAggregateFunction(max, Tuple(
    at DateTime64(6, 'UTC'), uuid UUID, current_url String, pathname String, hostname String)) CODEC(ZSTD(1)),
  -- The latest click on a link to elsewhere; its time is the earliest possible without one.
  external_click SimpleAggregateFunction(max, Tuple(at DateTime64(6, 'UTC'), uuid UUID, url String)) CODEC(ZSTD(1)),
  has_autocapture SimpleAggregateFunction(max, Bool),
  -- Hashes of the uuids of events: their number is the count. The bound keeps a session that everybody shares small.
  pageviews SimpleAggregateFunction(groupUniqArrayArray(20000), Array(UInt64)),
  autocaptures SimpleAggregateFunction(groupUniqArrayArray(20000), Array(UInt64)),
  screens SimpleAggregateFunction(groupUniqArrayArray(20000), Array(UInt64)),
  urls SimpleAggregateFunction(groupUniqArrayArray(1000), Array(String)) CODEC(ZSTD(1)),
  -- Whether an event is more than a day away from the time in the session id, where a search by time would not look.
  is_astray SimpleAggregateFunction(max, Bool),
  -- When the events were stored: what a deletion has to make anew is older than the deletion.
  written_at SimpleAggregateFunction(min, DateTime64(3, 'UTC'))
) ENGINE = AggregatingMergeTree
ORDER BY (project_id, day, session_id)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1,
         finished_mutations_to_keep = 1;

-- What of an event a session is made of. Holds nothing: rows go on to the roll-up, from `events` or from whoever fills
-- it in.
CREATE TABLE IF NOT EXISTS session_events (
  project_id Int64,
  session_id String,
  uuid UUID,
  event String,
  distinct_id String,
  properties String,
  timestamp DateTime64(6, 'UTC'),
  stored_at DateTime64(3, 'UTC')
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS session_rollup_writer TO session_rollup AS
WITH
  toDateTime64('2299-12-31 00:00:00', 6, 'UTC') AS never,
  toDateTime64('1900-01-01 00:00:00', 6, 'UTC') AS before_all,
  toUUID('ffffffff-ffff-ffff-ffff-ffffffffffff') AS no_uuid,
  toUUID('00000000-0000-0000-0000-000000000000') AS nil_uuid,
  toInt64(bitShiftRight(toUInt128(toUUIDOrZero(session_id)), 80)) AS id_ms,
  JSONExtract(properties, 'Tuple(
    `$current_url` String, `$pathname` String, `$host` String, `$referring_domain` String, `$external_click_url` String,
    utm_source String, utm_medium String, utm_campaign String, utm_term String, utm_content String, gclid String,
    gad_source String, gclsrc String, dclid String, gbraid String, wbraid String, fbclid String, msclkid String,
    twclid String, li_fat_id String, mc_cid String, igshid String, ttclid String)') AS p,
  p.1 AS url,
  if(p.2 = '', path(url), p.2) AS pathname,
  if(p.3 = '', domain(url), p.3) AS hostname,
  event IN ('$pageview', '$screen') AS is_page,
  cityHash64(uuid) AS hash
SELECT
  project_id,
  toUInt32(intDiv(id_ms, 86400000)) AS day,
  session_id,
  min((timestamp, uuid, distinct_id)) AS first,
  max(timestamp) AS last_at,
  min(if(is_page,
    (timestamp, uuid, url, pathname, hostname, p.4,
     p.6, p.7, p.8, p.9, p.10, p.11, p.12, p.13, p.14, p.15, p.16, p.17, p.18, p.19, p.20, p.21, p.22, p.23),
    (never, no_uuid, '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', ''))) AS entry,
  max(if(is_page, (timestamp, uuid, url, pathname, hostname), (before_all, nil_uuid, '', '', ''))) AS exit,
  max(if(p.5 != '', (timestamp, uuid, p.5), (before_all, nil_uuid, ''))) AS external_click,
  max(event = '$autocapture') AS has_autocapture,
  groupUniqArrayIf(20000)(hash, event = '$pageview') AS pageviews,
  groupUniqArrayIf(20000)(hash, event = '$autocapture') AS autocaptures,
  groupUniqArrayIf(20000)(hash, event = '$screen') AS screens,
  groupUniqArrayIf(1000)(url, url != '') AS urls,
  max(abs(id_ms - toUnixTimestamp64Milli(timestamp)) > 86400000) AS is_astray,
  min(stored_at) AS written_at
FROM session_events
WHERE match(session_id, '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-7[0-9a-fA-F]{3}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$')
GROUP BY project_id, day, session_id;

CREATE MATERIALIZED VIEW IF NOT EXISTS session_events_of_events TO session_events AS
SELECT project_id, `$session_id` AS session_id, uuid, event, distinct_id, properties, timestamp,
  inserted_at AS stored_at
FROM events
WHERE `$session_id` != '';

-- Events of before the roll-up are filled in by the background, a day at a time: a row for each day that is, and `all`
-- at the end, which tells queries that they may read the roll-up.
CREATE TABLE IF NOT EXISTS session_rollup_fills (
  day String,
  filled_at DateTime64(3, 'UTC') DEFAULT now64(3)
) ENGINE = MergeTree
ORDER BY day
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- Where there are no events, and none on their way past the view, there is nothing to fill in.
INSERT INTO session_rollup_fills (day)
SELECT 'all' FROM (SELECT count() AS stored FROM events) AS events
WHERE stored = 0 AND 0 = (SELECT count() FROM system.processes
  WHERE query ILIKE 'insert into%events%' AND query NOT ILIKE 'insert into session_rollup_fills%');
