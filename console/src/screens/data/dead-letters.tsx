import { Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useQuery } from "urql"
import type { DeadLettersQuery } from "../../graph/generated/graphql"
import { writeNumber } from "../../pictures/numbers"
import { useProject } from "../../project/project"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { PagedTable } from "../../ui/paged-table"
import { Problem } from "../../ui/problem"
import { Time } from "../../ui/time"
import { useChange } from "../../ui/use-change"
import { DEAD_LETTERS, DELETE_DEAD_LETTERS, RETRY_DEAD_LETTERS } from "./data.queries"
import { DeadLetterText } from "./dead-letter-text"
import { toWords } from "./words"

type Letter = NonNullable<DeadLettersQuery["deadLetters"]>["nodes"][number]

const PAGE_SIZE = 50
const FROM = "/project/$project/data"

const COLUMNS: readonly Column<Letter>[] = [
  { title: "Reason", cell: ({ reason }) => toWords(reason) },
  { title: "Event", cell: ({ event }) => event ?? "" },
  { title: "What was said", cell: ({ detail }) => detail },
  { title: "Bytes", cell: ({ byteCount }) => writeNumber(byteCount), isNumber: true },
  { title: "Failed", cell: ({ failedAt }) => <Time of={failedAt} /> },
]

/** What was accepted and could not be stored: read, tried again when the cause is mended, or removed. */
export function DeadLetters() {
  const { id: projectId } = useProject()
  const { after } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [isRemoving, setRemoving] = useState(false)
  const retrying = useChange(RETRY_DEAD_LETTERS, (data) => data.retryDeadLetters)
  const removing = useChange(DELETE_DEAD_LETTERS, (data) => data.deleteDeadLetters)
  const answer = useQuery({
    query: DEAD_LETTERS,
    variables: { projectId, first: PAGE_SIZE, before: after },
    requestPolicy: "cache-and-network",
  })
  const [{ data }, ask] = answer
  const listed = data?.deadLetters?.nodes ?? []
  const ids = listed.flatMap(({ id }) => (chosen.includes(id) ? [id] : []))
  const retryable = listed.flatMap(({ id, canRetry }) => (canRetry && chosen.includes(id) ? [id] : []))

  const askAgain = (): void => {
    setChosen([])
    ask({ requestPolicy: "network-only" })
  }
  const retry = async (): Promise<void> => {
    if ((await retrying.change({ input: { projectId, ids: retryable } })) !== null) askAgain()
  }
  const remove = async (): Promise<void> => {
    if ((await removing.change({ input: { projectId, ids } })) === null) return
    setRemoving(false)
    askAgain()
  }
  const toggle = (id: string): void =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])

  const choice: Column<Letter> = {
    title: "Chosen",
    cell: ({ id }) => (
      <Checkbox
        size="xs"
        aria-label={`Choose letter ${id}`}
        checked={chosen.includes(id)}
        onChange={() => toggle(id)}
      />
    ),
  }
  return (
    <Stack gap="md">
      {listed.length > 0 && (
        <Group gap="xs">
          <Button
            variant="default"
            onClick={() => setChosen(ids.length === listed.length ? [] : listed.map(({ id }) => id))}
          >
            {ids.length === listed.length ? "Choose none" : "Choose all"}
          </Button>
          <Button disabled={retryable.length === 0} loading={retrying.isChanging} onClick={() => void retry()}>
            {`Try again (${retryable.length})`}
          </Button>
          <Button color="red" variant="light" disabled={ids.length === 0} onClick={() => setRemoving(true)}>
            {`Remove (${ids.length})`}
          </Button>
        </Group>
      )}
      <Problem of={retrying.problem} />
      <PagedTable
        label="Dead letters"
        columns={[choice, ...COLUMNS]}
        of={answer}
        toPage={({ deadLetters }) =>
          deadLetters && {
            nodes: deadLetters.nodes,
            pageInfo: { hasNextPage: deadLetters.hasNextPage, endCursor: deadLetters.endCursor },
          }
        }
        detail={({ id }) => <DeadLetterText id={id} />}
        empty={<EmptyState title="No dead letters" hint="Everything that was accepted could be stored." />}
        after={after}
        onPage={(next) => void navigate({ search: { tab: "letters", after: next } })}
      />
      <Modal opened={isRemoving} onClose={() => setRemoving(false)} title={`Remove ${ids.length} dead letters`}>
        <Stack gap="sm">
          <Text size="sm">What was sent with them is gone for good: it was never stored anywhere else.</Text>
          <Problem of={removing.problem} />
          <Button color="red" loading={removing.isChanging} onClick={() => void remove()}>
            Remove
          </Button>
        </Stack>
      </Modal>
    </Stack>
  )
}
