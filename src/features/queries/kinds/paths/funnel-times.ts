import { nodes, type Query } from "../../../../hogql/index.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { refuseComparison } from "../../insights/refusals.js"
import { template } from "../../insights/template.js"
import { selectBestAttempts } from "../funnels/attempts.js"
import { type Funnel, readFunnel, refuseOptionalSteps } from "../funnels/read-funnel.js"
import type { KindContext } from "../kind-context.js"
import { refuseUnknownFields } from "../refuse-unknown-fields.js"

const { compare, constant, field } = nodes

const TYPES = ["funnel_path_before_step", "funnel_path_between_steps", "funnel_path_after_step"] as const

/** The part of an actor's events that paths are made of, by what it did in a funnel. */
export interface FunnelPart {
  /** Rows `(actor, from, to)` in microseconds, both included. */
  readonly times: Query
  /** Whether pauses do not end a path. */
  readonly isWhole: boolean
}

/**
 * `funnelPathsFilter` of a `PathsQuery` (`docs/contract/queries.md#pathsquery`); null without one.
 * @throws AppError parse_error naming the field.
 */
export async function readFunnelPart(reader: QueryReader, context: KindContext): Promise<FunnelPart | null> {
  if (reader.value("funnelPathsFilter") === null) return null
  const filter = reader.object("funnelPathsFilter")
  const source = filter.object("funnelSource")
  if (source.requiredText("kind") !== "FunnelsQuery") throw source.fault("kind", "must be FunnelsQuery")
  refuseUnknownFields(source.json, "FunnelsQuery", "PathsQuery.funnelPathsFilter.funnelSource")
  refuseComparison(source)
  const funnel = await readFunnel(source, context)
  refuseOptionalSteps(source, funnel)
  if (funnel.breakdown !== null) throw source.fault("breakdownFilter", "cannot be used in a funnel of paths")
  const type = filter.choice("funnelPathType", TYPES, "funnel_path_after_step")
  return {
    times: selectTimes(funnel, type, readStep(filter, type, funnel)),
    isWhole: type === "funnel_path_between_steps",
  }
}

/** The number of a step, from 1; `-n` are those who left before step n. */
function readStep(filter: QueryReader, type: (typeof TYPES)[number], { steps }: Funnel): number {
  const step = filter.integer("funnelStep", { min: -steps.length, max: steps.length })
  const isBetween = type === "funnel_path_between_steps"
  if (step === null || (isBetween ? step < 2 : step === 0 || step === -1))
    throw filter.fault(
      "funnelStep",
      isBetween
        ? `must be 2 to ${steps.length}, the step that the paths lead to`
        : `must be 1 to ${steps.length}, or -2 to -${steps.length} for those who left before that step`,
    )
  return step
}

function selectTimes(funnel: Funnel, type: (typeof TYPES)[number], step: number): Query {
  // Those who left took their last step, and had the rest of the window to take the next one.
  const at = `path[${step > 0 ? step : -step - 1}]`
  const until = step > 0 ? at : `${at} + ${funnel.windowSeconds}000000`
  const [from, to] = {
    funnel_path_before_step: ["0", until],
    funnel_path_between_steps: [`path[${step - 1}]`, at],
    funnel_path_after_step: [at, String(Number.MAX_SAFE_INTEGER)],
  }[type]
  return template(`SELECT actor, ${from} AS from_time, ${to} AS to_time FROM {attempts} WHERE {isThere}`, {
    attempts: selectBestAttempts(funnel),
    isThere: compare(step > 0 ? ">=" : "==", field(["depth"]), constant(step > 0 ? step : -step - 1)),
  })
}
