import type { ActorsSourceInput } from "../../../graph/generated/graphql"
import type { Chosen } from "../../../results/chosen"
import type { Question } from "./question"
import { toFunnel, toLifecycle, toPaths, toRetention, toStickiness, toTrends } from "./to-input"

const copy = (breakdown: readonly (string | null)[] | null) => (breakdown === null ? undefined : [...breakdown])

/** The query for the persons behind a part of the picture that a question has. */
export function toActorsSource(question: Question, chosen: Chosen): ActorsSourceInput {
  switch (chosen.of) {
    case "trends": {
      const { series, breakdown, day, isPrevious } = chosen
      return { trends: { of: toTrends(question), series, breakdown: copy(breakdown), day, isPrevious } }
    }
    case "funnel":
      return { funnel: { of: toFunnel(question), step: chosen.step, breakdown: copy(chosen.breakdown) } }
    case "retention": {
      const { interval, breakdown } = chosen
      return { retention: { of: toRetention(question), interval, breakdown: copy(breakdown) } }
    }
    case "paths":
      return { paths: { of: toPaths(question), from: chosen.from, to: chosen.to } }
    case "stickiness":
      return { stickiness: { of: toStickiness(question), series: chosen.series, intervals: chosen.intervals } }
    case "lifecycle":
      return { lifecycle: { of: toLifecycle(question), status: chosen.status, day: chosen.day } }
  }
}
