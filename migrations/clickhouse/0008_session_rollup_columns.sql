-- A part of events is one file until it has 64 MiB, and not four files for each of its columns, of which there are many
-- now: that was most of what they cost when events are stored (decision 0070). Merged parts are larger and as before.
ALTER TABLE events MODIFY SETTING min_bytes_for_wide_part = 67108864;

-- Sessions are rolled up from columns of properties, without parsing the text of each event once more. The table and
-- the writer of 0007 stay for processes of before, which fill events in there.

-- What of an event a session is made of. Holds nothing: rows go on to the roll-up, from `events` or from whoever fills
-- it in. Ids of rare advertisements have no column, and are read out of the text where it has one.
CREATE TABLE IF NOT EXISTS session_sources (
  project_id Int64,
  session_id String,
  uuid UUID,
  event String,
  distinct_id String,
  properties String,
  timestamp DateTime64(6, 'UTC'),
  stored_at DateTime64(3, 'UTC'),
  `property_$current_url` Nullable(String),
  `property_$pathname` Nullable(String),
  `property_$host` Nullable(String),
  `property_$referring_domain` Nullable(String),
  `property_$external_click_url` Nullable(String),
  property_utm_source Nullable(String),
  property_utm_medium Nullable(String),
  property_utm_campaign Nullable(String),
  property_utm_term Nullable(String),
  property_utm_content Nullable(String),
  property_gclid Nullable(String),
  property_gad_source Nullable(String),
  property_fbclid Nullable(String),
  property_msclkid Nullable(String)
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS session_rollup_of_sources TO session_rollup AS
WITH
  toDateTime64('2299-12-31 00:00:00', 6, 'UTC') AS never,
  toDateTime64('1900-01-01 00:00:00', 6, 'UTC') AS before_all,
  toUUID('ffffffff-ffff-ffff-ffff-ffffffffffff') AS no_uuid,
  toUUID('00000000-0000-0000-0000-000000000000') AS nil_uuid,
  toInt64(bitShiftRight(toUInt128(toUUIDOrZero(session_id)), 80)) AS id_ms,
  ifNull(`property_$current_url`, '') AS url,
  ifNull(`property_$pathname`, '') AS own_pathname,
  ifNull(`property_$host`, '') AS own_host,
  ifNull(`property_$external_click_url`, '') AS click,
  if(own_pathname = '', path(url), own_pathname) AS pathname,
  if(own_host = '', domain(url), own_host) AS hostname,
  event IN ('$pageview', '$screen') AS is_page,
  -- An escape could stand for a letter of a name.
  is_page AND multiSearchAny(properties, ['"gclsrc"', '"dclid"', '"gbraid"', '"wbraid"', '"twclid"', '"li_fat_id"',
    '"mc_cid"', '"igshid"', '"ttclid"', '\\u00']) AS has_rare,
  JSONExtract(if(has_rare, properties, ''), 'Tuple(gclsrc String, dclid String, gbraid String, wbraid String,
    twclid String, li_fat_id String, mc_cid String, igshid String, ttclid String)') AS rare,
  cityHash64(uuid) AS hash
SELECT
  project_id,
  toUInt32(intDiv(id_ms, 86400000)) AS day,
  session_id,
  min((timestamp, uuid, distinct_id)) AS first,
  max(timestamp) AS last_at,
  if(max(is_page),
    minIf((timestamp, uuid, url, pathname, hostname, ifNull(`property_$referring_domain`, ''),
      ifNull(property_utm_source, ''), ifNull(property_utm_medium, ''), ifNull(property_utm_campaign, ''),
      ifNull(property_utm_term, ''), ifNull(property_utm_content, ''), ifNull(property_gclid, ''),
      ifNull(property_gad_source, ''), rare.1, rare.2, rare.3, rare.4, ifNull(property_fbclid, ''),
      ifNull(property_msclkid, ''), rare.5, rare.6, rare.7, rare.8, rare.9), is_page),
    (never, no_uuid, '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '')) AS entry,
  if(max(is_page), maxIf((timestamp, uuid, url, pathname, hostname), is_page),
    (before_all, nil_uuid, '', '', '')) AS exit,
  if(max(click != ''), maxIf((timestamp, uuid, click), click != ''), (before_all, nil_uuid, '')) AS external_click,
  max(event = '$autocapture') AS has_autocapture,
  groupUniqArrayIf(20000)(hash, event = '$pageview') AS pageviews,
  groupUniqArrayIf(20000)(hash, event = '$autocapture') AS autocaptures,
  groupUniqArrayIf(20000)(hash, event = '$screen') AS screens,
  groupUniqArrayIf(1000)(url, url != '') AS urls,
  max(abs(id_ms - toUnixTimestamp64Milli(timestamp)) > 86400000) AS is_astray,
  min(stored_at) AS written_at
FROM session_sources
WHERE match(session_id, '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-7[0-9a-fA-F]{3}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$')
GROUP BY project_id, day, session_id;

-- First the new view, then without the old one: what both roll up counts once.
CREATE MATERIALIZED VIEW IF NOT EXISTS session_sources_of_events TO session_sources AS
SELECT project_id, `$session_id` AS session_id, uuid, event, distinct_id, properties, timestamp,
  inserted_at AS stored_at, `property_$current_url`, `property_$pathname`, `property_$host`,
  `property_$referring_domain`, `property_$external_click_url`, property_utm_source, property_utm_medium,
  property_utm_campaign, property_utm_term, property_utm_content, property_gclid, property_gad_source,
  property_fbclid, property_msclkid
FROM events
WHERE `$session_id` != '';

DROP VIEW IF EXISTS session_events_of_events;
