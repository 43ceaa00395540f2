import type { QueryReader } from "../insights/query-reader.js"
import type { QueryAnswer } from "../queries.types.js"
import type { KindContext } from "./kind-context.js"

/** How the queries of a kind are answered. */
export interface KindDefinition {
  /** What a query object names in `kind`. */
  readonly kind: string
  /** @throws HogqlError for what the query writes in HogQL, AppError naming the field, and AppError of the engine. */
  answer(reader: QueryReader, context: KindContext): Promise<QueryAnswer>
}
