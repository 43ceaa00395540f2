import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import { toStorableJson } from "../../kernel/json.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import { type QueriesService, type QueryObject, toWireQuery } from "../queries/index.js"
import type { InsightRepository } from "./insight.repository.js"
import type { Insight, InsightFilter, InsightRequest } from "./insights.types.js"
import { readSaved } from "./saved/read-saved.js"

const MAX_QUERY_LENGTH = 100_000

export interface InsightsDependencies {
  readonly repository: InsightRepository
  readonly queries: Pick<QueriesService, "check">
  readonly clock: Clock
  /** Gives eight random characters. */
  readonly newShortId: () => string
}

export type InsightsService = ReturnType<typeof createInsightsService>

/** Use cases of insights. Faults are AppErrors naming the field and the rule. */
export function createInsightsService({ repository, queries, clock, newShortId }: InsightsDependencies) {
  /** What of the query is stored: the object that the reader of its kind takes. */
  async function readQuery(projectId: ProjectId, { query }: InsightRequest): Promise<QueryObject | null> {
    if (query == null) return null
    const checked = toStorableJson(await queries.check(projectId, toWireQuery(query)))
    if (JSON.stringify(checked).length <= MAX_QUERY_LENGTH) return checked
    const detail = `A query that is kept has at most ${MAX_QUERY_LENGTH} characters of JSON.`
    throw new AppError("max_length", { attr: "query", detail })
  }

  return {
    /** Insights that are not deleted, newest change first. */
    list: (projectId: ProjectId, filter: InsightFilter, page: PageRequest): Promise<ListPage<Insight>> =>
      repository.list(projectId, filter, page),

    /** Those of these short ids, deleted ones too. */
    findMany: repository.findMany,

    /** @throws AppError required, blank, max_length, invalid_input, and faults of the query's text. */
    async create(projectId: ProjectId, userId: UserId, request: InsightRequest): Promise<Insight> {
      const { name, description = "", tags = [], deleted = false } = readSaved(request)
      const query = await readQuery(projectId, request)
      if (name === undefined) throw new AppError("required", { attr: "name" })
      if (query === null) throw new AppError("required", { attr: "query" })
      const at = new Date(clock.now())
      const authorship = { createdAt: at, createdById: userId, lastModifiedAt: at, lastModifiedById: userId }
      const insight = { projectId, shortId: newShortId(), name, description, tags, query, deleted, ...authorship }
      return repository.insert(insight, { userId, at, isFavourite: request.isFavourite ?? undefined })
    },

    /** Deleted insights can be changed too: `deleted: false` restores one. @throws AppError not_found, as `create`. */
    async update(projectId: ProjectId, userId: UserId, shortId: string, request: InsightRequest): Promise<Insight> {
      const [insight] = await repository.findMany(projectId, [shortId])
      if (insight === undefined) throw new AppError("not_found")
      const query = await readQuery(projectId, request)
      const changes = { ...readSaved(request), ...(query !== null && { query }) }
      const at = new Date(clock.now())
      const isChange = Object.keys(changes).length > 0
      const authorship = isChange ? { lastModifiedAt: at, lastModifiedById: userId } : {}
      const by = { userId, at, isFavourite: request.isFavourite ?? undefined }
      return repository.update(projectId, insight.id, { ...changes, ...authorship }, by)
    },
  }
}
