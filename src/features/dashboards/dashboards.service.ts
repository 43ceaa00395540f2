import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import { type InsightsService, readSaved } from "../insights/index.js"
import type { QueriesService } from "../queries/index.js"
import type { DashboardRepository } from "./dashboard.repository.js"
import type { Dashboard, DashboardFilter, DashboardRequest, Tile } from "./dashboards.types.js"
import { readFilters } from "./read-filters.js"
import { readTiles } from "./read-tiles.js"

export interface DashboardsDependencies {
  readonly repository: DashboardRepository
  readonly insights: Pick<InsightsService, "findMany">
  readonly queries: Pick<QueriesService, "check">
  readonly clock: Clock
  /** Gives eight random characters. */
  readonly newShortId: () => string
}

export type DashboardsService = ReturnType<typeof createDashboardsService>

/** Use cases of dashboards. Faults are AppErrors naming the field and the rule. */
export function createDashboardsService(dependencies: DashboardsDependencies) {
  const { repository, insights, queries, clock, newShortId } = dependencies

  async function readChanges(projectId: ProjectId, request: DashboardRequest, present: readonly Tile[]) {
    const { pinned, filters, tiles } = request
    return {
      ...readSaved(request),
      ...(pinned != null && { pinned }),
      ...(filters != null && { filters: await readFilters(queries, projectId, filters) }),
      ...(tiles != null && {
        tiles: readTiles(tiles, {
          present,
          insights: await findShowable(projectId, tiles, present),
          newId: newShortId,
        }),
      }),
    }
  }

  /** Insights that are there, and deleted ones that are on the dashboard already. */
  async function findShowable(
    projectId: ProjectId,
    tiles: NonNullable<DashboardRequest["tiles"]>,
    present: readonly Tile[],
  ): Promise<ReadonlySet<string>> {
    const named = [...new Set(tiles.flatMap(({ insight }) => insight ?? []))]
    const found = await insights.findMany(projectId, named)
    const shown = new Set(present.map(({ insight }) => insight))
    return new Set(found.flatMap(({ shortId, deleted }) => (deleted && !shown.has(shortId) ? [] : [shortId])))
  }

  return {
    /** Dashboards that are not deleted, newest change first. */
    list: (projectId: ProjectId, filter: DashboardFilter, page: PageRequest): Promise<ListPage<Dashboard>> =>
      repository.list(projectId, filter, page),

    /** Those of these short ids, deleted ones too. */
    findMany: repository.findMany,

    /** @throws AppError required, blank, max_length, invalid_input. */
    async create(projectId: ProjectId, userId: UserId, request: DashboardRequest): Promise<Dashboard> {
      const { name, ...changes } = await readChanges(projectId, request, [])
      if (name === undefined) throw new AppError("required", { attr: "name" })
      const at = new Date(clock.now())
      const authorship = { createdAt: at, createdById: userId, lastModifiedAt: at, lastModifiedById: userId }
      const made = { ...EMPTY, ...changes, ...authorship, projectId, shortId: newShortId(), name }
      return repository.insert(made, { userId, at, isFavourite: request.isFavourite ?? undefined })
    },

    /**
     * Deleted dashboards can be changed too: `deleted: false` restores one.
     * @throws AppError not_found, conflict for tiles that somebody else has changed, and as `create`.
     */
    async update(projectId: ProjectId, userId: UserId, shortId: string, request: DashboardRequest): Promise<Dashboard> {
      const [dashboard] = await repository.findMany(projectId, [shortId])
      if (dashboard === undefined) throw new AppError("not_found")
      const from = request.tiles == null ? null : (request.version ?? null)
      if (request.tiles != null && from === null) throw new AppError("required", { attr: "version" })
      const changes = await readChanges(projectId, request, dashboard.tiles)
      const at = new Date(clock.now())
      const isChange = Object.keys(changes).length > 0
      const authorship = isChange ? { lastModifiedAt: at, lastModifiedById: userId } : {}
      const by = { userId, at, isFavourite: request.isFavourite ?? undefined }
      return repository.update(projectId, dashboard.id, { ...changes, ...authorship }, from, by)
    },
  }
}

const EMPTY = { description: "", tags: [], pinned: false, filters: {}, tiles: [], version: 1, deleted: false }
