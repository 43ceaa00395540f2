import { EVENT_PROPERTY_COLUMNS } from "../../kernel/property-columns.js"
import { type ColumnDefinition, type LazyJoin, storedProperties, type TableDefinition } from "./schema.js"

const GROUP_INDEXES = [0, 1, 2, 3, 4] as const

const groupColumns: Record<string, ColumnDefinition> = Object.fromEntries(
  GROUP_INDEXES.map((index) => [`$group_${index}`, { type: "String", sql: `r.\`$group_${index}\``, star: false }]),
)

const groupJoins: Record<string, LazyJoin> = Object.fromEntries(
  GROUP_INDEXES.map((index) => [
    `group_${index}`,
    { table: "groups", from: `$group_${index}`, to: "key", where: `r.group_type_index = ${index}`, groupIndex: index },
  ]),
)

/** Under which events join the ids whose person changed after events of theirs were stored. */
export const OVERRIDES_ALIAS = "j_overrides"
/** SQL of the person that an event belongs to now. */
export const EVENT_PERSON_ID = `if(${OVERRIDES_ALIAS}.distinct_id = '', r.person_id, ${OVERRIDES_ALIAS}.person_id)`

/**
 * Events as stored, with the person each belongs to now: the newest override of its distinct id if there is one, else
 * the person stored with it.
 */
export const EVENTS: TableDefinition = {
  name: "events",
  stored: "events",
  sampleKey: "r.distinct_id",
  timeColumn: "timestamp",
  columns: {
    uuid: { type: "UUID", sql: "r.uuid" },
    event: { type: "String", sql: "r.event" },
    properties: {
      type: "Json",
      owner: "event",
      sql: "r.properties",
      properties: storedProperties(EVENT_PROPERTY_COLUMNS),
      hasSpares: true,
    },
    timestamp: { type: "DateTime", sql: "r.timestamp" },
    team_id: { type: "Integer", sql: "r.project_id" },
    distinct_id: { type: "String", sql: "r.distinct_id" },
    elements_chain: { type: "String", sql: "r.elements_chain" },
    created_at: { type: "DateTime", sql: "r.created_at" },
    $session_id: { type: "String", nullable: true, sql: "nullIf(r.`$session_id`, '')" },
    $window_id: { type: "String", nullable: true, sql: "nullIf(r.`$window_id`, '')" },
    person_mode: { type: "String", sql: "toString(r.person_mode)" },
    historical_migration: { type: "Boolean", sql: "r.historical_migration", star: false },
    person_id: {
      type: "UUID",
      sql: EVENT_PERSON_ID,
      needs: "overrides",
    },
    ...groupColumns,
    poe_id: { type: "UUID", sql: "r.person_id", star: false },
    poe_created_at: { type: "DateTime", sql: "r.person_created_at", star: false },
    poe_properties: { type: "Json", owner: "person", sql: "r.person_properties", star: false },
    elements_chain_href: { type: "String", sql: 'extract(r.elements_chain, \'(?::|\\")href="(.*?)"\')', star: false },
    elements_chain_texts: {
      type: "Array",
      sql: 'arrayDistinct(extractAll(r.elements_chain, \'(?::|\\")text="(.*?)"\'))',
      star: false,
    },
    elements_chain_ids: {
      type: "Array",
      sql: 'arrayDistinct(extractAll(r.elements_chain, \'(?::|\\")attr_id="(.*?)"\'))',
      star: false,
    },
    elements_chain_elements: {
      type: "Array",
      sql: "arrayDistinct(extractAll(r.elements_chain, '(?:^|;)(a|button|form|input|select|textarea|label)(?:\\\\.|$|:)'))",
      star: false,
    },
  },
  namespaces: { poe: { id: "poe_id", created_at: "poe_created_at", properties: "poe_properties" } },
  joins: {
    overrides: {
      table: "person_overrides",
      from: "distinct_id",
      to: "distinct_id",
      takes: ["person_id"],
      hidden: true,
    },
    person: { table: "persons", from: "person_id", to: "id" },
    pdi: { table: "person_distinct_ids", from: "distinct_id", to: "distinct_id" },
    session: { table: "sessions", from: "$session_id", to: "session_id" },
    ...groupJoins,
  },
}
