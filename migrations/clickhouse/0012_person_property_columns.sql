-- Columns of the properties of persons and groups that nearly every project asks for, as events have them (0006). The index
-- finds persons by their e-mail.
ALTER TABLE persons
  ADD COLUMN IF NOT EXISTS property_email Nullable(String)
    DEFAULT JSONExtract(properties, 'email', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS property_name Nullable(String)
    DEFAULT JSONExtract(properties, 'name', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$browser` Nullable(String)
    DEFAULT JSONExtract(properties, '$browser', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$browser_version` Nullable(String)
    DEFAULT JSONExtract(properties, '$browser_version', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$os` Nullable(String)
    DEFAULT JSONExtract(properties, '$os', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$os_version` Nullable(String)
    DEFAULT JSONExtract(properties, '$os_version', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$device_type` Nullable(String)
    DEFAULT JSONExtract(properties, '$device_type', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$app_version` Nullable(String)
    DEFAULT JSONExtract(properties, '$app_version', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$referring_domain` Nullable(String)
    DEFAULT JSONExtract(properties, '$referring_domain', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS property_utm_source Nullable(String)
    DEFAULT JSONExtract(properties, 'utm_source', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS property_utm_medium Nullable(String)
    DEFAULT JSONExtract(properties, 'utm_medium', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS property_utm_campaign Nullable(String)
    DEFAULT JSONExtract(properties, 'utm_campaign', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$geoip_country_code` Nullable(String)
    DEFAULT JSONExtract(properties, '$geoip_country_code', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$geoip_country_name` Nullable(String)
    DEFAULT JSONExtract(properties, '$geoip_country_name', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$geoip_city_name` Nullable(String)
    DEFAULT JSONExtract(properties, '$geoip_city_name', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$geoip_subdivision_1_name` Nullable(String)
    DEFAULT JSONExtract(properties, '$geoip_subdivision_1_name', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$initial_current_url` Nullable(String)
    DEFAULT JSONExtract(properties, '$initial_current_url', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$initial_pathname` Nullable(String)
    DEFAULT JSONExtract(properties, '$initial_pathname', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$initial_referring_domain` Nullable(String)
    DEFAULT JSONExtract(properties, '$initial_referring_domain', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$initial_utm_source` Nullable(String)
    DEFAULT JSONExtract(properties, '$initial_utm_source', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$initial_utm_medium` Nullable(String)
    DEFAULT JSONExtract(properties, '$initial_utm_medium', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$initial_utm_campaign` Nullable(String)
    DEFAULT JSONExtract(properties, '$initial_utm_campaign', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$initial_gclid` Nullable(String)
    DEFAULT JSONExtract(properties, '$initial_gclid', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$initial_browser` Nullable(String)
    DEFAULT JSONExtract(properties, '$initial_browser', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$initial_os` Nullable(String)
    DEFAULT JSONExtract(properties, '$initial_os', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$initial_device_type` Nullable(String)
    DEFAULT JSONExtract(properties, '$initial_device_type', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$initial_geoip_country_code` Nullable(String)
    DEFAULT JSONExtract(properties, '$initial_geoip_country_code', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD INDEX IF NOT EXISTS email_index property_email TYPE bloom_filter GRANULARITY 1;

ALTER TABLE groups
  ADD COLUMN IF NOT EXISTS property_name Nullable(String)
    DEFAULT JSONExtract(properties, 'name', 'Nullable(String)') CODEC(ZSTD(1));

-- A part of persons is one file until it has 64 MiB, as one of events is (0008).
ALTER TABLE persons MODIFY SETTING min_bytes_for_wide_part = 67108864;

-- Parts of before get the columns in the background, and are read out of the text until then.
ALTER TABLE persons
  MATERIALIZE COLUMN property_email,
  MATERIALIZE COLUMN property_name,
  MATERIALIZE COLUMN `property_$browser`,
  MATERIALIZE COLUMN `property_$browser_version`,
  MATERIALIZE COLUMN `property_$os`,
  MATERIALIZE COLUMN `property_$os_version`,
  MATERIALIZE COLUMN `property_$device_type`,
  MATERIALIZE COLUMN `property_$app_version`,
  MATERIALIZE COLUMN `property_$referring_domain`,
  MATERIALIZE COLUMN property_utm_source,
  MATERIALIZE COLUMN property_utm_medium,
  MATERIALIZE COLUMN property_utm_campaign,
  MATERIALIZE COLUMN `property_$geoip_country_code`,
  MATERIALIZE COLUMN `property_$geoip_country_name`,
  MATERIALIZE COLUMN `property_$geoip_city_name`,
  MATERIALIZE COLUMN `property_$geoip_subdivision_1_name`,
  MATERIALIZE COLUMN `property_$initial_current_url`,
  MATERIALIZE COLUMN `property_$initial_pathname`,
  MATERIALIZE COLUMN `property_$initial_referring_domain`,
  MATERIALIZE COLUMN `property_$initial_utm_source`,
  MATERIALIZE COLUMN `property_$initial_utm_medium`,
  MATERIALIZE COLUMN `property_$initial_utm_campaign`,
  MATERIALIZE COLUMN `property_$initial_gclid`,
  MATERIALIZE COLUMN `property_$initial_browser`,
  MATERIALIZE COLUMN `property_$initial_os`,
  MATERIALIZE COLUMN `property_$initial_device_type`,
  MATERIALIZE COLUMN `property_$initial_geoip_country_code`,
  MATERIALIZE INDEX email_index;

ALTER TABLE groups MATERIALIZE COLUMN property_name;
