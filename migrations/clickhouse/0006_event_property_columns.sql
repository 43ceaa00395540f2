-- Columns of the properties that nearly every project asks for. Ingestion writes them as values; the default is how they are
-- read out of the text, for rows of before and for programs that do not know the columns.
ALTER TABLE events
  ADD COLUMN IF NOT EXISTS `property_$browser` Nullable(String)
    DEFAULT JSONExtract(properties, '$browser', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$browser_version` Nullable(String)
    DEFAULT JSONExtract(properties, '$browser_version', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$browser_language` Nullable(String)
    DEFAULT JSONExtract(properties, '$browser_language', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$os` Nullable(String)
    DEFAULT JSONExtract(properties, '$os', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$os_version` Nullable(String)
    DEFAULT JSONExtract(properties, '$os_version', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$device_type` Nullable(String)
    DEFAULT JSONExtract(properties, '$device_type', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$timezone` Nullable(String)
    DEFAULT JSONExtract(properties, '$timezone', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$current_url` Nullable(String)
    DEFAULT JSONExtract(properties, '$current_url', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$host` Nullable(String)
    DEFAULT JSONExtract(properties, '$host', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$pathname` Nullable(String)
    DEFAULT JSONExtract(properties, '$pathname', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$referrer` Nullable(String)
    DEFAULT JSONExtract(properties, '$referrer', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$referring_domain` Nullable(String)
    DEFAULT JSONExtract(properties, '$referring_domain', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$prev_pageview_pathname` Nullable(String)
    DEFAULT JSONExtract(properties, '$prev_pageview_pathname', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$external_click_url` Nullable(String)
    DEFAULT JSONExtract(properties, '$external_click_url', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_utm_source` Nullable(String)
    DEFAULT JSONExtract(properties, 'utm_source', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_utm_medium` Nullable(String)
    DEFAULT JSONExtract(properties, 'utm_medium', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_utm_campaign` Nullable(String)
    DEFAULT JSONExtract(properties, 'utm_campaign', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_utm_term` Nullable(String)
    DEFAULT JSONExtract(properties, 'utm_term', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_utm_content` Nullable(String)
    DEFAULT JSONExtract(properties, 'utm_content', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_gclid` Nullable(String)
    DEFAULT JSONExtract(properties, 'gclid', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_gad_source` Nullable(String)
    DEFAULT JSONExtract(properties, 'gad_source', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_fbclid` Nullable(String)
    DEFAULT JSONExtract(properties, 'fbclid', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_msclkid` Nullable(String)
    DEFAULT JSONExtract(properties, 'msclkid', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$session_entry_url` Nullable(String)
    DEFAULT JSONExtract(properties, '$session_entry_url', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$session_entry_pathname` Nullable(String)
    DEFAULT JSONExtract(properties, '$session_entry_pathname', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$session_entry_referring_domain` Nullable(String)
    DEFAULT JSONExtract(properties, '$session_entry_referring_domain', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$screen_width` Nullable(String)
    DEFAULT JSONExtract(properties, '$screen_width', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$screen_height` Nullable(String)
    DEFAULT JSONExtract(properties, '$screen_height', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$viewport_width` Nullable(String)
    DEFAULT JSONExtract(properties, '$viewport_width', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$viewport_height` Nullable(String)
    DEFAULT JSONExtract(properties, '$viewport_height', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$screen_name` Nullable(String)
    DEFAULT JSONExtract(properties, '$screen_name', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$lib` Nullable(String)
    DEFAULT JSONExtract(properties, '$lib', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$lib_version` Nullable(String)
    DEFAULT JSONExtract(properties, '$lib_version', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$app_version` Nullable(String)
    DEFAULT JSONExtract(properties, '$app_version', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$event_type` Nullable(String)
    DEFAULT JSONExtract(properties, '$event_type', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$feature_flag` Nullable(String)
    DEFAULT JSONExtract(properties, '$feature_flag', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$feature_flag_response` Nullable(String)
    DEFAULT JSONExtract(properties, '$feature_flag_response', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$exception_type` Nullable(String)
    DEFAULT JSONExtract(properties, '$exception_type', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$exception_message` Nullable(String)
    DEFAULT JSONExtract(properties, '$exception_message', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$geoip_country_code` Nullable(String)
    DEFAULT JSONExtract(properties, '$geoip_country_code', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$geoip_country_name` Nullable(String)
    DEFAULT JSONExtract(properties, '$geoip_country_name', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$geoip_city_name` Nullable(String)
    DEFAULT JSONExtract(properties, '$geoip_city_name', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$geoip_subdivision_1_code` Nullable(String)
    DEFAULT JSONExtract(properties, '$geoip_subdivision_1_code', 'Nullable(String)') CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS `property_$geoip_subdivision_1_name` Nullable(String)
    DEFAULT JSONExtract(properties, '$geoip_subdivision_1_name', 'Nullable(String)') CODEC(ZSTD(1));

-- Parts of before get the columns in the background, and are read out of the text until then.
ALTER TABLE events
  MATERIALIZE COLUMN `property_$browser`,
  MATERIALIZE COLUMN `property_$browser_version`,
  MATERIALIZE COLUMN `property_$browser_language`,
  MATERIALIZE COLUMN `property_$os`,
  MATERIALIZE COLUMN `property_$os_version`,
  MATERIALIZE COLUMN `property_$device_type`,
  MATERIALIZE COLUMN `property_$timezone`,
  MATERIALIZE COLUMN `property_$current_url`,
  MATERIALIZE COLUMN `property_$host`,
  MATERIALIZE COLUMN `property_$pathname`,
  MATERIALIZE COLUMN `property_$referrer`,
  MATERIALIZE COLUMN `property_$referring_domain`,
  MATERIALIZE COLUMN `property_$prev_pageview_pathname`,
  MATERIALIZE COLUMN `property_$external_click_url`,
  MATERIALIZE COLUMN `property_utm_source`,
  MATERIALIZE COLUMN `property_utm_medium`,
  MATERIALIZE COLUMN `property_utm_campaign`,
  MATERIALIZE COLUMN `property_utm_term`,
  MATERIALIZE COLUMN `property_utm_content`,
  MATERIALIZE COLUMN `property_gclid`,
  MATERIALIZE COLUMN `property_gad_source`,
  MATERIALIZE COLUMN `property_fbclid`,
  MATERIALIZE COLUMN `property_msclkid`,
  MATERIALIZE COLUMN `property_$session_entry_url`,
  MATERIALIZE COLUMN `property_$session_entry_pathname`,
  MATERIALIZE COLUMN `property_$session_entry_referring_domain`,
  MATERIALIZE COLUMN `property_$screen_width`,
  MATERIALIZE COLUMN `property_$screen_height`,
  MATERIALIZE COLUMN `property_$viewport_width`,
  MATERIALIZE COLUMN `property_$viewport_height`,
  MATERIALIZE COLUMN `property_$screen_name`,
  MATERIALIZE COLUMN `property_$lib`,
  MATERIALIZE COLUMN `property_$lib_version`,
  MATERIALIZE COLUMN `property_$app_version`,
  MATERIALIZE COLUMN `property_$event_type`,
  MATERIALIZE COLUMN `property_$feature_flag`,
  MATERIALIZE COLUMN `property_$feature_flag_response`,
  MATERIALIZE COLUMN `property_$exception_type`,
  MATERIALIZE COLUMN `property_$exception_message`,
  MATERIALIZE COLUMN `property_$geoip_country_code`,
  MATERIALIZE COLUMN `property_$geoip_country_name`,
  MATERIALIZE COLUMN `property_$geoip_city_name`,
  MATERIALIZE COLUMN `property_$geoip_subdivision_1_code`,
  MATERIALIZE COLUMN `property_$geoip_subdivision_1_name`;
