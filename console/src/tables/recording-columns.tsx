import { Badge, Group } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import type { RecordingRowFragment } from "../graph/generated/graphql"
import { graphql } from "../graph/graphql"
import { toClock } from "../ui/clock"
import type { Column } from "../ui/data-table"
import { Time } from "../ui/time"

/** What lists show of a recording. */
export const RECORDING_ROW = graphql(`
  fragment RecordingRow on SessionRecording {
    id
    sessionId
    distinctId
    startTime
    startUrl
    recordingDuration
    clickCount
    consoleErrorCount
    ongoing
    viewed
    person {
      name
    }
  }
`)

/**
 * The columns of a list of recordings, whose names lead to the player.
 *
 * @param playlist whose next recordings the player leads to
 */
export const toRecordingColumns = (playlist?: string): readonly Column<RecordingRowFragment>[] => [
  {
    title: "Person",
    cell: ({ sessionId, person, distinctId, ongoing, viewed }) => (
      <Group gap="xs" wrap="nowrap">
        <Link
          from="/project/$project"
          to="/project/$project/recordings/$session"
          params={{ session: sessionId }}
          search={{ playlist }}
          className={viewed ? "link seen" : "link"}
        >
          {person?.name || distinctId}
        </Link>
        {ongoing && (
          <Badge variant="light" size="sm" flex="none">
            Live
          </Badge>
        )}
      </Group>
    ),
  },
  { title: "Begun", cell: ({ startTime }) => <Time of={startTime} /> },
  { title: "First page", cell: ({ startUrl }) => startUrl },
  { title: "Duration", cell: ({ recordingDuration }) => toClock(recordingDuration * 1000), isNumber: true },
  { title: "Clicks", cell: ({ clickCount }) => clickCount.toLocaleString(), isNumber: true },
  { title: "Errors", cell: ({ consoleErrorCount }) => consoleErrorCount.toLocaleString(), isNumber: true },
]
