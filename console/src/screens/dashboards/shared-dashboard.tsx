import { Stack, Text, Title } from "@mantine/core"
import { useParams } from "@tanstack/react-router"
import { useQuery } from "urql"
import { graphql } from "../../graph/graphql"
import { RESULT_PARTS } from "../../results/result-parts"
import { Answer } from "../../ui/answer"
import { EmptyState } from "../../ui/empty-state"
import { useRenewal } from "../../ui/use-renewal"
import { Tile } from "./tile"
import { TileGrid } from "./tile-grid"

const SHARED_DASHBOARD = graphql(
  `
  query SharedDashboard($token: String!) {
    sharedDashboard(token: $token) {
      name
      tiles {
        x
        y
        w
        h
        name
        text
        result {
          ...ResultParts
        }
      }
    }
  }
`,
  RESULT_PARTS,
)

const RENEWED_EVERY_MS = 60_000

/** A dashboard for whoever has the link, without signing in; it renews itself. */
export function SharedDashboard() {
  const { token } = useParams({ from: "/shared/$token" })
  const answer = useQuery({ query: SHARED_DASHBOARD, variables: { token } })
  const [{ data, error }, ask] = answer
  useRenewal(ask, RENEWED_EVERY_MS)
  const dashboard = data?.sharedDashboard
  if (error?.graphQLErrors.some(({ extensions }) => extensions.code === "NOT_FOUND"))
    return (
      <main className="shared">
        <EmptyState title="This link leads nowhere" hint="Its time is over, or it was revoked. Ask for another one." />
      </main>
    )
  // One tile that fails does not take the others with it.
  if (!dashboard)
    return (
      <main className="shared">
        <Answer of={answer}>{() => null}</Answer>
      </main>
    )
  return (
    <main className="shared">
      <Stack gap="md">
        <title>{`${dashboard.name} · Waymark`}</title>
        <Title order={1} size="h3">
          {dashboard.name}
        </Title>
        <TileGrid tiles={dashboard.tiles.map((tile, at) => ({ ...tile, id: String(at) }))}>
          {({ name, text, result }) => (
            <Tile
              name={name || "Untitled"}
              title={name || "Untitled"}
              text={text}
              outcome={{ result, running: null, fault: result === null ? "This cannot be shown." : null }}
            />
          )}
        </TileGrid>
        <Text size="xs" c="dimmed">
          Renewed every minute.
        </Text>
      </Stack>
    </main>
  )
}
