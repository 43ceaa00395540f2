/**
 * Properties of events that have a column each in ClickHouse, beside the text with all of them: those that nearly every
 * client sends and that nearly every project asks for (`docs/contract/queries.md#property-columns`).
 */
export const EVENT_PROPERTY_COLUMNS: readonly string[] = [
  ..."$browser $browser_version $browser_language $os $os_version $device_type $timezone".split(" "),
  ..."$current_url $host $pathname $referrer $referring_domain $prev_pageview_pathname $external_click_url".split(" "),
  ..."utm_source utm_medium utm_campaign utm_term utm_content gclid gad_source fbclid msclkid".split(" "),
  ..."$session_entry_url $session_entry_pathname $session_entry_referring_domain".split(" "),
  ..."$screen_width $screen_height $viewport_width $viewport_height $screen_name".split(" "),
  ..."$lib $lib_version $app_version $event_type $feature_flag $feature_flag_response".split(" "),
  ..."$exception_type $exception_message $geoip_country_code $geoip_country_name $geoip_city_name".split(" "),
  ..."$geoip_subdivision_1_code $geoip_subdivision_1_name".split(" "),
]

/** The same of persons: who they are, what they use and where, and where they came from first (decision 0075). */
export const PERSON_PROPERTY_COLUMNS: readonly string[] = [
  ..."email name $browser $browser_version $os $os_version $device_type $app_version".split(" "),
  ..."$referring_domain utm_source utm_medium utm_campaign".split(" "),
  ..."$geoip_country_code $geoip_country_name $geoip_city_name $geoip_subdivision_1_name".split(" "),
  ..."$initial_current_url $initial_pathname $initial_referring_domain".split(" "),
  ..."$initial_utm_source $initial_utm_medium $initial_utm_campaign $initial_gclid".split(" "),
  ..."$initial_browser $initial_os $initial_device_type $initial_geoip_country_code".split(" "),
]

/** The one whose column has an index: persons are found by it, of whom few have the same. */
export const PERSON_LOOKUP_PROPERTY = "email"

/** The same of groups, of whom nothing else is common to all projects. */
export const GROUP_PROPERTY_COLUMNS: readonly string[] = ["name"]

/**
 * How many columns of events each project has for properties of its own, beside those of `EVENT_PROPERTY_COLUMNS`
 * (decision 0059).
 */
export const SPARE_COLUMN_COUNT = 16
/** The column that says how many spare columns the writer of an event knew. */
export const SPARE_COUNT_COLUMN = "spare_count"

/** What the spare column of a number, from 1 on, is called. */
export const toSpareColumn = (spare: number): string => `spare_${spare}`

const PROPERTY_COLUMN_PREFIX = "property_"

/** What the column of a property is called. */
export const toPropertyColumn = (property: string): string => `${PROPERTY_COLUMN_PREFIX}${property}`

/** Whether a column of a table with properties holds one of them. */
export const isPropertyColumn = (column: string): boolean => column.startsWith(PROPERTY_COLUMN_PREFIX)
