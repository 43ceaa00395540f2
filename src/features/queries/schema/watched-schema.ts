import type { QuerySchema } from "./query-schema.types.js"

/**
 * Records whether a run looks at the parts of a schema that must be current: cohorts, actions and group types. Looking for one that does
 * not exist counts as well.
 */
export function watchSchema(schema: QuerySchema) {
  let isUsed = false
  const watch = <Watched extends object>(map: Watched): Watched =>
    new Proxy(map, {
      get(_, name) {
        isUsed = true
        const member: unknown = Reflect.get(map, name)
        return typeof member === "function" ? member.bind(map) : member
      },
    })
  const watched = {
    groupTypes: watch(schema.groupTypes),
    cohorts: watch(schema.cohorts),
    cohortsById: watch(schema.cohortsById),
    actions: watch(schema.actions),
  }
  return { schema: { ...schema, ...watched }, usesCohortsOrGroups: () => isUsed }
}
