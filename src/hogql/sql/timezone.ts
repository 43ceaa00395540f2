import { type SqlExpression, trusted } from "./sql.js"

const ZONE = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/

/** A time zone as a literal, as functions over times want a constant. Throws for a name that no zone can have. */
export function timezoneLiteral(timezone: string): SqlExpression {
  if (!ZONE.test(timezone)) throw new Error(`not a time zone: ${timezone}`)
  return trusted(`'${timezone}'`)
}
