import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import { hasNoAutomaticProperties } from "./event-names.js"
import type { PersonEvent, PersonOperations } from "./process.types.js"

/**
 * Event properties that also describe the person: the latest value under their name, the first one as `$initial_…`
 * (`docs/contract/capture.md#automatic-properties`).
 */
const AUTOMATIC = `$app_build $app_name $app_namespace $app_version $browser $browser_version $device_type $current_url
  $pathname $os $os_name $os_version $referring_domain $referrer $screen_height $screen_width $viewport_height
  $viewport_width $raw_user_agent utm_source utm_medium utm_campaign utm_content utm_name utm_term gclid gad_source
  gclsrc dclid gbraid wbraid fbclid msclkid twclid li_fat_id mc_cid igshid ttclid rdt_cid irclid _kx epik qclid sccid`
  .split(/\s+/)
  .map((name) => ({ name, initialName: `$initial_${name.replace("$", "")}` }))

/**
 * Reads what an event says about its person. A `$set` that is not an object counts as empty. What is set only once is
 * not set to null: browsers send many first values that they do not have
 * (`docs/contract/sdk-wire.md#fields-of-events`), and one may still come.
 */
export function readPersonOperations(event: PersonEvent): PersonOperations {
  const { properties } = event
  const set = toMap(properties.$set)
  const setOnce = toMap(properties.$set_once)
  for (const [name, value] of setOnce) if (value === null) setOnce.delete(name)
  if (!hasNoAutomaticProperties(event.event)) addAutomatic(properties, set, setOnce)
  if (event.foundProperties !== undefined) {
    for (const [key, value] of Object.entries(event.foundProperties.set)) set.set(key, value)
    for (const [key, value] of Object.entries(event.foundProperties.setOnce)) setOnce.set(key, value)
  }
  return { set, setOnce, unset: readUnset(properties.$unset) }
}

function toMap(value: Json | undefined): Map<string, Json> {
  return new Map(isJsonObject(value) ? Object.entries(value) : undefined)
}

function addAutomatic(properties: JsonObject, set: Map<string, Json>, setOnce: Map<string, Json>): void {
  for (const { name, initialName } of AUTOMATIC) {
    const value = properties[name]
    if (value === undefined) continue
    if (!set.has(name)) set.set(name, value)
    if (value !== null && !setOnce.has(initialName)) setOnce.set(initialName, value)
  }
  replaceOsName(set, "$os_name", "$os")
  replaceOsName(setOnce, "$initial_os_name", "$initial_os")
}

/** Mobile SDKs write `$os_name` where web SDKs write `$os`. */
function replaceOsName(operations: Map<string, Json>, alias: string, name: string): void {
  const value = operations.get(alias)
  if (value === undefined) return
  if (!operations.has(name)) operations.set(name, value)
  operations.delete(alias)
}

/**
 * Names to remove: an array of names, or an object whose keys are the names
 * (`docs/contract/capture.md#property-updates`).
 */
function readUnset(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.filter((name) => typeof name === "string")
  return isJsonObject(value) ? Object.keys(value) : []
}
