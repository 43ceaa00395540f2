import { Alert, Badge, Stack, Text } from "@mantine/core"
import { useQuery } from "urql"
import type { ServerHealthQuery } from "../../graph/generated/graphql"
import { writeBytes, writeNumber } from "../../pictures/numbers"
import { Answer } from "../../ui/answer"
import { type Column, DataTable } from "../../ui/data-table"
import { Time } from "../../ui/time"
import { useRenewal } from "../../ui/use-renewal"
import { SERVER_HEALTH } from "./data.queries"

type Health = NonNullable<ServerHealthQuery["serverHealth"]>
type Store = Health["stores"][number]

const ASKED_EVERY_MS = 10_000
/** Below this an operator should make room: capture stops before the disk is full. */
const LITTLE_ROOM_BYTES = 5 * 1024 ** 3

const NAMES: Readonly<Record<Store["store"], string>> = {
  POSTGRES: "PostgreSQL",
  CLICKHOUSE: "ClickHouse",
  REDIS: "Redis",
}
/** What goes on, and what not, while a store does not answer, and what ends that. */
const WHEN_AWAY: Readonly<Record<Store["store"], string>> = {
  POSTGRES: "Flags are decided from memory, and events are refused: start PostgreSQL.",
  CLICKHOUSE: "Events are accepted and wait; questions have no answers: start ClickHouse.",
  REDIS: "Each process counts and caches for itself, and hears late of changes: start Redis.",
}

const isShort = ({ freeBytes }: Store): boolean => freeBytes !== null && freeBytes < LITTLE_ROOM_BYTES

function advise(store: Store): string {
  if (!store.isReachable) return WHEN_AWAY[store.store]
  return isShort(store) ? "Make room: events are refused before the disk is full." : "Nothing."
}

const COLUMNS: readonly Column<Store>[] = [
  { title: "Store", cell: ({ store }) => NAMES[store] },
  {
    title: "State",
    cell: (store) => (
      <Badge
        variant="light"
        tt="none"
        miw="max-content"
        color={store.isReachable ? (isShort(store) ? "yellow" : "green") : "red"}
      >
        {store.isReachable ? "answers" : "does not answer"}
      </Badge>
    ),
  },
  { title: "Answered in", cell: ({ latencyMs }) => writeOrNothing(latencyMs, writeMilliseconds), isNumber: true },
  { title: "Data", cell: ({ usedBytes }) => writeOrNothing(usedBytes, writeBytes), isNumber: true },
  { title: "Free on its disk", cell: ({ freeBytes }) => writeOrNothing(freeBytes, writeBytes), isNumber: true },
  { title: "What to do", cell: advise },
]

const writeMilliseconds = (milliseconds: number): string => `${writeNumber(milliseconds)} ms`
const writeOrNothing = (value: number | null, write: (value: number) => string): string =>
  value === null ? "" : write(value)

/** How the stores of the server are, and what to do about it; for those who run the server. */
export function Stores() {
  const answer = useQuery({ query: SERVER_HEALTH, requestPolicy: "cache-and-network" })
  useRenewal(answer[1], ASKED_EVERY_MS)
  return (
    <Answer of={answer}>
      {({ serverHealth }) =>
        serverHealth && (
          <Stack gap="md">
            {serverHealth.captureRefusal !== null && (
              <Alert color="red" title="Events are refused">
                {serverHealth.captureRefusal === "DISK"
                  ? "The disk is nearly full. SDKs try again: make room."
                  : "Too many events wait to be stored. SDKs try again: see whether ClickHouse answers."}
              </Alert>
            )}
            <DataTable label="Stores" columns={COLUMNS} rows={serverHealth.stores} toKey={({ store }) => store} />
            <Shards of={serverHealth} />
            <Text size="sm">
              {serverHealth.lastBackupAt === null ? (
                "No backup is known. npm run backup -- --to DIR makes one while the server runs."
              ) : (
                <>
                  The last backup is of <Time of={serverHealth.lastBackupAt} />.
                </>
              )}
            </Text>
            <Text size="xs" c="dimmed">
              As the process that answered saw it, <Time of={serverHealth.measuredAt} />.
            </Text>
          </Stack>
        )
      }
    </Answer>
  )
}

/** Whether everything that was accepted has somebody who stores it. */
function Shards({ of: { shardCount, shardsWithoutOwner } }: { readonly of: Health }) {
  if (shardCount === null || shardsWithoutOwner === null) return null
  return (
    <Text size="sm">
      {shardsWithoutOwner === 0
        ? `All ${writeNumber(shardCount)} shards of accepted events have a process that stores them.`
        : `${writeNumber(shardsWithoutOwner)} of ${writeNumber(shardCount)} shards of accepted events have no ` +
          "process that stores them: start one with the role ingest."}
    </Text>
  )
}
