import { isUuid, type ProjectId } from "../../../kernel/ids.js"
import { toStorableText } from "../../../kernel/json.js"
import type { PersonFilterInput } from "./persons.graphql.js"
import type { PropertyCondition } from "./property-condition.js"
import type { PropertyGroup } from "./property-group.js"

/** Conditions of a list of persons, ready for the store; all given ones must hold. */
export interface PersonFilter extends Omit<PersonFilterInput, "properties" | "propertyGroup"> {
  readonly properties?: PropertyGroup
}

/** Part of a statement with its bound values; the project is `$1`. */
interface ConditionSql {
  readonly from: string
  readonly values: readonly unknown[]
}

type Bind = (value: unknown) => string

/** Text that PostgreSQL can cast to a number of bounded size without an error. */
const NUMBER_TEXT = "^[+-]?[0-9]{1,40}([.][0-9]{1,40})?([eE][+-]?[0-9]{1,2})?$"

/** The condition of a list of persons, with every value bound; the project comes first and always. */
export function toConditionSql(projectId: ProjectId, filter: PersonFilter): ConditionSql {
  const values: unknown[] = [projectId]
  const bind: Bind = (value) => `$${values.push(value)}`
  const { distinctId, email, search, properties } = filter
  const conditions = ["person.project_id = $1", "NOT person.is_deleted"]
  if (distinctId != null)
    conditions.push(
      `person.id = (SELECT person_id FROM person_distinct_id WHERE project_id = $1 AND distinct_id = ${bind(distinctId)})`,
    )
  if (email != null) conditions.push(`person.email = ${bind(email.toLowerCase())}`)
  if (search) conditions.push(toSearchSql(search, bind))
  if (properties != null && properties.of.length > 0) conditions.push(toGroupSql(properties, bind))
  return { from: `FROM person WHERE ${conditions.join(" AND ")}`, values }
}

function toSearchSql(search: string, bind: Bind): string {
  const pattern = bind(toPattern(search))
  const alternatives = [
    `person.email ILIKE ${pattern}`,
    `person.properties ->> 'name' ILIKE ${pattern}`,
    `EXISTS (SELECT FROM person_distinct_id AS owner
              WHERE owner.project_id = person.project_id AND owner.person_id = person.id AND owner.distinct_id ILIKE ${pattern})`,
  ]
  if (isUuid(search)) alternatives.push(`person.id = ${bind(search)}::uuid`)
  return `(${alternatives.join(" OR ")})`
}

/** An empty group narrows nothing, whichever way its conditions would be joined. */
function toGroupSql({ isAny, of }: PropertyGroup, bind: Bind): string {
  const parts = of.map((one) => (one.kind === "group" ? toGroupSql(one, bind) : toPropertySql(one, bind)))
  return parts.length === 0 ? "true" : `(${parts.join(isAny ? " OR " : " AND ")})`
}

function toPropertySql(condition: PropertyCondition, bind: Bind): string {
  const key = `${bind(toStorableText(condition.key))}::text`
  const text = `(person.properties ->> ${key})`
  switch (condition.kind) {
    case "set":
      return `${condition.wanted ? "" : "NOT "}person.properties ? ${key}`
    case "one_of":
      return wanted(
        condition,
        `lower(${text}) = ANY (SELECT lower(one) FROM unnest(${bind(condition.texts.map(toStorableText))}::text[]) AS one)`,
      )
    case "part": {
      const patterns = condition.texts.map((part) => toPattern(part, condition.place))
      return wanted(condition, `${text} ILIKE ANY (${bind(patterns)}::text[])`)
    }
    case "regex": {
      const { text: pattern, ignoresCase } = condition.regex
      return wanted(condition, `${text} ${ignoresCase ? "~*" : "~"} ${bind(toStorableText(pattern))}`)
    }
    case "date":
      return `coalesce(property_instant(person.properties -> ${key}, ${bind(condition.timeZone)}) ${condition.sign} ${bind(condition.boundSeconds)}::float8, false)`
    case "number":
      return `CASE WHEN ${text} ~ '${NUMBER_TEXT}' THEN ${text}::numeric ${condition.sign} ${bind(condition.bound)}::numeric ELSE false END`
  }
}

/** A property that is not set compares to null, which counts as no. */
const wanted = (condition: { readonly wanted: boolean }, sql: string): string =>
  condition.wanted ? sql : `(${sql}) IS NOT TRUE`

/** A part of a text as a LIKE pattern: what the user wrote has no wildcards. */
export function toPattern(part: string, place: "anywhere" | "start" | "end" = "anywhere"): string {
  const text = part.replaceAll(/[\\%_]/g, "\\$&").replaceAll("\u0000", "")
  return `${place === "start" ? "" : "%"}${text}${place === "end" ? "" : "%"}`
}
