import type { Json, JsonObject } from "../../../kernel/json.js"
import type { PersonOperations } from "./process.types.js"

/** A property and what it was before; `undefined` when there was none. */
type Undo = readonly [name: string, before: Json | undefined]

/**
 * Applies `$set_once`, `$set` and `$unset`, in that order. Answers how to undo it, empty when nothing changed, so that
 * an event that says nothing new costs no write. Arrays and objects always count as changed
 * (`docs/contract/capture.md#property-updates`).
 */
export function applyOperations(properties: JsonObject, { set, setOnce, unset }: PersonOperations): readonly Undo[] {
  const undo: Undo[] = []
  const change = (name: string, value: Json | undefined): void => {
    undo.push([name, Object.hasOwn(properties, name) ? properties[name] : undefined])
    write(properties, name, value)
  }
  for (const [name, value] of setOnce) if (!Object.hasOwn(properties, name)) change(name, value)
  for (const [name, value] of set) if (differs(properties, name, value)) change(name, value)
  for (const name of unset) if (Object.hasOwn(properties, name)) change(name, undefined)
  return undo
}

/** Takes back what `applyOperations` did. */
export function undoOperations(properties: JsonObject, undo: readonly Undo[]): void {
  for (const [name, before] of undo.toReversed()) write(properties, name, before)
}

/** Whether writing `value` under `name` would change the object. */
export const differs = (properties: JsonObject, name: string, value: Json): boolean =>
  properties[name] !== value || !Object.hasOwn(properties, name)

/** Properties of a new person: `$set_once` overlaid by `$set`. */
export function initialProperties({ set, setOnce, unset }: PersonOperations, creatorEventUuid: string): JsonObject {
  const properties: JsonObject = { $creator_event_uuid: creatorEventUuid }
  for (const [name, value] of setOnce) write(properties, name, value)
  for (const [name, value] of set) write(properties, name, value)
  for (const name of unset) delete properties[name]
  return properties
}

/** Any name is an ordinary property here, also the one that would set an object's prototype. */
function write(properties: JsonObject, name: string, value: Json | undefined): void {
  if (value === undefined) delete properties[name]
  else if (name !== "__proto__") properties[name] = value
  else Object.defineProperty(properties, name, { value, enumerable: true, configurable: true, writable: true })
}
