import type { EntityManager } from "@mikro-orm/postgresql"
import type { ProjectId } from "../../kernel/ids.js"
import { addInsight } from "../insights/index.js"
import type { QueryObject } from "../queries/index.js"
import { DashboardEntity } from "./dashboard.entity.js"
import type { Place } from "./dashboards.types.js"

const MONTH = { dateRange: { date_from: "-30d" } }
const LEFT = { x: 0, w: 6, h: 5 }
const RIGHT = { x: 6, w: 6, h: 5 }

const TEXT = `The first charts of this project. They fill as events arrive: pages by \`posthog-js\`, everything else by any SDK.
Change them, or make dashboards of your own.`

interface FirstTile extends Place {
  readonly name: string
  readonly description: string
  readonly query: QueryObject
}

/** What most projects ask first. Each is right for any events: those of a site alone are empty without a site. */
const TILES: readonly FirstTile[] = [
  {
    ...LEFT,
    y: 2,
    name: "Visits",
    description: "Pages that were seen, by day.",
    query: { ...MONTH, kind: "TrendsQuery", interval: "day", series: [{ kind: "EventsNode", event: "$pageview" }] },
  },
  {
    ...RIGHT,
    y: 2,
    name: "Active people",
    description: "People with any event, by day.",
    query: {
      ...MONTH,
      kind: "TrendsQuery",
      interval: "day",
      series: [{ kind: "EventsNode", event: null, math: "dau" }],
    },
  },
  {
    ...LEFT,
    y: 7,
    name: "Who comes back",
    description: "Of the people of a week, how many were there in the weeks after it.",
    query: {
      kind: "RetentionQuery",
      dateRange: { date_from: "-7w" },
      retentionFilter: { period: "Week", totalIntervals: 8 },
    },
  },
  {
    ...RIGHT,
    y: 7,
    name: "Top pages",
    description: "Pages by visitors and views.",
    query: { ...MONTH, kind: "WebStatsTableQuery", properties: [], breakdownBy: "Page", limit: 10 },
  },
]

/**
 * Makes what gives a new project its first dashboard, in the unit of work in which the project is stored. Nobody made it, so
 * the audit log has no entry.
 * @param newShortId gives eight random characters
 */
export const createFirstDashboard =
  (newShortId: () => string) =>
  (em: EntityManager, projectId: ProjectId, at: Date): void => {
    const authorship = { createdAt: at, createdById: null, lastModifiedAt: at, lastModifiedById: null }
    const saved = { projectId, tags: [], deleted: false, ...authorship }
    const insights = TILES.map(({ name, description, query, ...place }) => {
      const shortId = newShortId()
      addInsight(em, { ...saved, shortId, name, description, query })
      return { ...place, id: newShortId(), insight: shortId, text: null }
    })
    em.create(DashboardEntity, {
      ...saved,
      shortId: newShortId(),
      name: "Your first dashboard",
      description: "",
      pinned: false,
      filters: {},
      tiles: [{ id: newShortId(), x: 0, y: 0, w: 12, h: 2, insight: null, text: TEXT }, ...insights],
      version: 1,
    })
  }
