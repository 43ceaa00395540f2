import { Group, Text } from "@mantine/core"
import { useEffect } from "react"
import { useQuery } from "urql"
import { writeDuration, writeNumber } from "../../pictures/numbers"
import { LAG } from "./data.queries"

const ASKED_EVERY_MS = 5000

/** How far storing is behind what was accepted, on the whole server. */
export function Lag() {
  const [{ data }, ask] = useQuery({ query: LAG, requestPolicy: "network-only" })
  useEffect(() => {
    const timer = setInterval(() => ask({ requestPolicy: "network-only" }), ASKED_EVERY_MS)
    return () => clearInterval(timer)
  }, [ask])
  const lag = data?.ingestionLag
  if (!lag) return null
  const waiting = lag.accepted - lag.stored
  return (
    <Group gap="xs" wrap="nowrap" role="status" aria-label="Ingestion">
      <span className="dot" data-late={waiting > 0 || undefined} />
      <Text size="sm">
        {waiting > 0
          ? `${writeNumber(waiting)} accepted events wait, the oldest for ${writeDuration(lag.oldestUnstoredSeconds)}.`
          : `Nothing waits: all ${writeNumber(lag.accepted)} events that this server accepted are stored, or told of below.`}
      </Text>
    </Group>
  )
}
