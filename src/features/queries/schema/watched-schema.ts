import type { QuerySchema } from "./query-schema.types.js"

/**
 * Watches one use of a schema: whether anything was asked of it that changes from one moment to the next, which are cohorts
 * and group types. What is looked for and not there counts as well.
 */
export function watchSchema(schema: QuerySchema) {
  let wasAsked = false
  const watch = <Watched extends object>(map: Watched): Watched =>
    new Proxy(map, {
      get(_, name) {
        wasAsked = true
        const member: unknown = Reflect.get(map, name)
        return typeof member === "function" ? member.bind(map) : member
      },
    })
  const watched = {
    groupTypes: watch(schema.groupTypes),
    cohorts: watch(schema.cohorts),
    cohortsById: watch(schema.cohortsById),
  }
  return { schema: { ...schema, ...watched }, wasAskedForWhatChanges: () => wasAsked }
}
