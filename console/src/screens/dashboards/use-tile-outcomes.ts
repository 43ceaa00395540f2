import { useSubscription } from "urql"
import type { DashboardResultsSubscription } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { DASHBOARD_RESULTS } from "./dashboards.queries"
import { NOTHING_YET, type TileOutcome } from "./tile"

type Outcomes = Readonly<Record<string, TileOutcome>>

/** What the tiles come to after one more message: an answer stays while a newer one is made. */
function addMessage(before: Outcomes = {}, message: DashboardResultsSubscription): Outcomes {
  const { tileId, result, error } = message.dashboardResults
  const last = before[tileId] ?? NOTHING_YET
  return { ...before, [tileId]: toOutcome(last, result, error?.message ?? null) }
}

function toOutcome(
  { result: last }: TileOutcome,
  result: DashboardResultsSubscription["dashboardResults"]["result"],
  fault: string | null,
): TileOutcome {
  if (fault !== null) return { result: last, running: null, fault }
  if (result?.__typename === "QueryRun")
    return { result: last, running: { percentage: result.progress?.percentage ?? null }, fault: null }
  return { result, running: null, fault: null }
}

/** Follows all tiles of a dashboard over one socket; by the ids of tiles. */
export function useTileOutcomes(id: string): { readonly outcomes: Outcomes; readonly error: Error | undefined } {
  const project = useProject()
  const [{ data, error }] = useSubscription(
    { query: DASHBOARD_RESULTS, variables: { projectId: project.id, id } },
    addMessage,
  )
  return { outcomes: data ?? {}, error }
}
