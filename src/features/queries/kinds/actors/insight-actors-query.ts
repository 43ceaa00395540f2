import { template } from "../../insights/template.js"
import { toAnswer } from "../answer.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { ACTOR_KINDS, selectPersons } from "./insight-actors.js"

/** Kinds that give the ids of the persons behind one point of an insight. */
export const INSIGHT_ACTORS_QUERIES: readonly KindDefinition[] = ACTOR_KINDS.map((kind) => ({
  kind,
  async answer(reader, context) {
    const found = await context.select(
      template("SELECT actor_id, event_count FROM {persons} ORDER BY event_count DESC, actor_id", {
        persons: await selectPersons(reader, kind, context),
      }),
    )
    const { limit, offset, columns } = found.compiled
    return toAnswer(found.rows, [found], { columns: [...columns], hasMore: found.hasMore, limit, offset })
  },
}))
