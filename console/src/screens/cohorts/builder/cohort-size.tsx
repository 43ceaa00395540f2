import { Text } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "urql"
import { useProject } from "../../../project/project"
import { describeFailure } from "../../../ui/failure"
import { COHORT_SIZE } from "../cohorts.queries"
import { type Group, isTreeWhole, writeTree } from "./tree"

const TYPING_MS = 500

/** How many persons the conditions hold for, as they are being written. */
export function CohortSize({ tree }: { readonly tree: Group }) {
  const project = useProject()
  const [settled] = useDebouncedValue(tree, TYPING_MS)
  const isWhole = isTreeWhole(settled)
  const [{ data, error, fetching }] = useQuery({
    query: COHORT_SIZE,
    variables: { projectId: project.id, filters: { raw: writeTree(settled) } },
    pause: !isWhole,
    requestPolicy: "network-only",
  })
  const isCounting = fetching || settled !== tree
  return (
    <Text size="sm" c="dimmed" role="status" aria-busy={isCounting}>
      {!isWhole ? "Not counted: something is not chosen yet." : describeSize(data?.cohortSize, error, isCounting)}
    </Text>
  )
}

function describeSize(size: number | null | undefined, error: unknown, isCounting: boolean): string {
  if (isCounting) return "Counting…"
  if (error !== undefined) return `Not counted: ${describeFailure(error).title}`
  return size === 1 ? "1 person fits" : `${(size ?? 0).toLocaleString()} persons fit`
}
