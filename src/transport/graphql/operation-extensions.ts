import type { RequestContext } from "../../kernel/request-context.js"
import type { CostExtensions } from "./check-operation.js"

/**
 * What an answer says of itself besides its data: its cost, and for callers whose requests are counted what is left to
 * them (`docs/contract/faults.md#prices-of-fields`).
 */
export function describeUse({ cost }: CostExtensions, { rateLimit }: Pick<RequestContext, "rateLimit">) {
  return rateLimit == null ? { cost } : { cost, rateLimit: { cost: cost.requested, ...rateLimit } }
}
