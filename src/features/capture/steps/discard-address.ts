import { isJsonObject, type JsonObject } from "../../../kernel/json.js"
import type { Step } from "./event-draft.js"

/** Where an event, a person or a group may have an address. */
const HOLDERS = ["$set", "$set_once", "$group_set"] as const

/**
 * Where the project keeps no addresses, the event gets the place of its address and loses the address, before it is on any disk
 * (`docs/contract/capture.md#projects-that-keep-no-addresses`, decision 0054). A visitor without cookies is told from others by it: such an
 * event has it until ingestion, which removes it with all that would say who the visitor was.
 */
export const discardAddress: Step = (draft, { anonymous, historicalMigration }) => {
  if (anonymous === undefined) return null
  const { properties } = draft
  const address = properties.$ip === undefined && !historicalMigration ? anonymous.clientIp : properties.$ip
  if (properties.$cookieless_mode === true) {
    draft.properties = { ...properties, $ip: address ?? null }
    return null
  }
  draft.place = typeof address === "string" && !properties.$geoip_disable ? anonymous.findPlace(address) : null
  draft.properties = withoutAddresses(properties)
  for (const holder of HOLDERS) {
    const held = properties[holder]
    if (isJsonObject(held)) draft.properties[holder] = withoutAddresses(held)
  }
  return null
}

const withoutAddresses = ({ $ip: _, $initial_ip: _initial, ...rest }: JsonObject): JsonObject => rest
