import type { Query } from "../../../../hogql/index.js"
import type { QueryReader } from "../../insights/query-reader.js"
import type { RunScope } from "../../queries.types.js"
import type { HogqlRunner } from "../hogql-runner.js"

/**
 * Gives the persons behind one point of an insight as rows `(actor_id, event_count)`, each once.
 *
 * @param reader the query that names the point
 * @param source the insight
 */
export type PointActors = (
  reader: QueryReader,
  source: QueryReader,
  runner: HogqlRunner,
  run: RunScope,
) => Promise<Query>
