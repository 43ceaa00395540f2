import type { Attack } from "../attack.types.js"
import { BODY_ATTACKS } from "./bodies.js"
import { CONNECTION_ATTACKS } from "./connections.js"
import { DELETION_ATTACKS } from "./deletions.js"
import { ENGINE_ATTACKS } from "./engine.js"
import { EXPORT_ATTACKS } from "./exports.js"
import { FLAG_ATTACKS } from "./flags.js"
import { FUNCTION_ATTACKS } from "./functions.js"
import { GRAPHQL_ATTACKS } from "./graphql.js"
import { INGESTION_ATTACKS } from "./ingestion.js"
import { PERSON_ATTACKS } from "./persons.js"
import { RATE_ATTACKS } from "./rates.js"

/** Every attack, in the order in which they are run. */
export const ATTACKS: readonly Attack[] = [
  ...BODY_ATTACKS,
  ...CONNECTION_ATTACKS,
  ...RATE_ATTACKS,
  ...FUNCTION_ATTACKS,
  ...ENGINE_ATTACKS,
  ...EXPORT_ATTACKS,
  ...INGESTION_ATTACKS,
  ...PERSON_ATTACKS,
  ...DELETION_ATTACKS,
  ...FLAG_ATTACKS,
  ...GRAPHQL_ATTACKS,
]

/** @throws Error when there is none of that name. */
export function findAttack(name: string): Attack {
  const found = ATTACKS.find((attack) => attack.name === name)
  if (found === undefined) throw new Error(`no attack is called ${name}`)
  return found
}
