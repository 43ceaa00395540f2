import * as z from "zod/mini"
import type { PropertyFilterInput } from "../graph/generated/graphql"
import { OPERATORS, takesValue } from "../ui/operators"

// The page's policy of contents forbids the code that zod would make for speed.
z.config({ jitless: true })

/** A property of events or of their persons. */
export const PROPERTY = z.object({ owner: z.enum(["event", "person"]), key: z.string() })
export type Property = z.infer<typeof PROPERTY>

/** A condition on a property; none or several values, of which one has to fit. */
export const FILTER = z.extend(PROPERTY, { operator: z.enum(OPERATORS), values: z.array(z.string()) })
export type Filter = z.infer<typeof FILTER>

/** A filter that has no property or no value yet says nothing. */
const isWhole = ({ key, operator, values }: Filter): boolean =>
  key !== "" && (!takesValue(operator) || values.length > 0)

/** Conditions as the graph takes them; those that are not whole yet are left out. */
export function toPropertyFilters(filters: readonly Filter[] = []): PropertyFilterInput[] {
  return filters.filter(isWhole).map(({ owner, key, operator, values }) => {
    const value = takesValue(operator) ? (values.length === 1 ? values[0] : values) : undefined
    const condition = { key, operator, value }
    return owner === "person" ? { person: condition } : { event: condition }
  })
}

const TEXTS = z.union([
  z.array(z.coerce.string()),
  z.pipe(
    z.coerce.string(),
    z.transform((text) => [text]),
  ),
])

/** A condition as it is stored with a query or a dashboard: in the words of REST. */
const STORED = z.object({
  type: z.enum(["event", "person"]),
  key: z.string(),
  operator: z._default(z.string(), "exact"),
  value: z.optional(z.nullable(TEXTS)),
})

/** Stored conditions as the editor has them; null when one of them is of a kind that it does not know. */
export function readStoredFilters(stored: unknown): Filter[] | null {
  const read = z.safeParse(z._default(z.nullable(z.array(STORED)), []), stored)
  if (!read.success) return null
  const filters: Filter[] = []
  for (const { type, key, operator, value } of read.data ?? []) {
    const known = OPERATORS.find((one) => one.toLowerCase() === operator)
    if (known === undefined) return null
    filters.push({ owner: type, key, operator: known, values: value ?? [] })
  }
  return filters
}
