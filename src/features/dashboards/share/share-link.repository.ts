import type { EntityManager } from "@mikro-orm/postgresql"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Records } from "../../../platform/postgres/records.js"
import { recordProjectActivity } from "../../access/index.js"
import { DashboardEntity } from "../dashboard.entity.js"
import type { Dashboard } from "../dashboards.types.js"
import { ShareLinkEntity } from "./share-link.entity.js"
import type { ShareLink } from "./share-link.graphql.js"

/** A link to be stored. */
export interface NewShareLink extends ShareLink {
  readonly tokenHash: string
}

export type ShareLinkRepository = ReturnType<typeof createShareLinkRepository>

/**
 * Links to dashboards in PostgreSQL. Changes write the audit log of the dashboard in the same transaction. Methods throw
 * AppError store_unavailable when PostgreSQL is away.
 */
export function createShareLinkRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  const record = (em: EntityManager, link: ShareLinkEntity, activity: string, userId: UserId, at: Date): void => {
    const { projectId, id } = link.dashboard
    const changes = { label: link.label, hint: link.maskedToken, expires_at: link.expiresAt.toISOString() }
    const change = { projectId, scope: "Dashboard", itemId: String(id), activity, changes }
    recordProjectActivity(em, change, { id: ids.uuidV7(), userId, at })
  }
  const toLive = (at: Date) => ({ revokedAt: null, expiresAt: { $gt: at } })

  return {
    /** Live links of a dashboard, newest first. */
    list: (projectId: ProjectId, shortId: string, at: Date): Promise<ShareLink[]> =>
      records.read((em) => {
        const where = { dashboard: { projectId, shortId, deleted: false }, ...toLive(at) }
        return em.find(ShareLinkEntity, where, { orderBy: { createdAt: "desc", id: "desc" } })
      }),

    insert: (dashboardId: number, link: NewShareLink, userId: UserId) =>
      records.write(async (em): Promise<ShareLink> => {
        const dashboard = await em.findOneOrFail(DashboardEntity, dashboardId)
        const created = em.create(ShareLinkEntity, { ...link, dashboard, createdById: userId, revokedAt: null })
        record(em, created, "shared", userId, link.createdAt)
        return created
      }),

    /** Whether there was such a live link. */
    revoke: (projectId: ProjectId, id: string, userId: UserId, at: Date) =>
      records.write(async (em) => {
        const where = { id, dashboard: { projectId }, ...toLive(at) }
        const link = await em.findOne(ShareLinkEntity, where, { populate: ["dashboard"] })
        if (link === null) return false
        link.revokedAt = at
        record(em, link, "unshared", userId, at)
        return true
      }),

    /** The dashboard that a live link leads to; null for a deleted one too. */
    findShared: (tokenHash: string, at: Date): Promise<Dashboard | null> =>
      records.read(async (em) => {
        const link = await em.findOne(ShareLinkEntity, { tokenHash, ...toLive(at) }, { populate: ["dashboard"] })
        return link === null || link.dashboard.deleted ? null : link.dashboard
      }),
  }
}
