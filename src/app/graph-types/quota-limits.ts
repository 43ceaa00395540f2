import { GraphQLInputObjectType, GraphQLNonNull } from "graphql"
import type { QuotaResource } from "../../features/capture/index.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { TypeFinder } from "../../transport/graphql/shape/graph-rules.js"
import { isObject, makeEnum, makeList, makeObject } from "./make-types.js"

const RESOURCES = {
  EVENTS: "Events of every kind.",
  RECORDINGS: "Recordings.",
  EXCEPTIONS: "Exceptions.",
  SURVEYS: "What is told of surveys.",
  LLM_EVENTS: "What is told of models.",
} as const satisfies Record<Uppercase<QuotaResource>, string>
const RESOURCE = makeEnum("QuotaResource", "What a project may use up.", RESOURCES)
const IS_RESOURCE: ReadonlySet<string> = new Set(RESOURCE.getValues().map(({ value }): string => value))

const WHICH = { type: new GraphQLNonNull(RESOURCE), description: "What is used up." }
const UNTIL = "Until when it is dropped."
const LIMITS = "What the project has used up, and until when."

/** The setting `quota_limits`, an object of times by resource, as a field of settings. */
export const showQuotaField = (find: TypeFinder) => ({
  type: makeList(
    makeObject("QuotaLimit", "Something that is used up.", () => ({
      resource: WHICH,
      until: { type: find.output("DateTimeISO"), description: UNTIL },
    })),
  ),
  description: LIMITS,
})

/** The same as a field of an input. */
export const makeQuotaInput = (find: TypeFinder) => ({
  type: makeList(
    new GraphQLInputObjectType({
      name: "QuotaLimitInput",
      description: "Something that is used up.",
      fields: () => ({
        resource: WHICH,
        until: { type: new GraphQLNonNull(find.input("DateTimeISO")), description: UNTIL },
      }),
    }),
  ),
  description: LIMITS,
})

/** What is stored as the graph shows it; null for what is no such object. */
export const showQuotas = (limits: Json | undefined): { resource: string; until: Date }[] | null =>
  limits !== undefined && isObject(limits)
    ? Object.entries(limits).flatMap(([resource, until]) =>
        IS_RESOURCE.has(resource) && typeof until === "string" ? [{ resource, until: new Date(until) }] : [],
      )
    : null

/** What the graph was given as it is stored. */
export const readQuotas = (limits: readonly { resource: string; until: Date }[] | null): JsonObject | null =>
  limits && Object.fromEntries(limits.map(({ resource, until }) => [resource, until.toISOString()]))
