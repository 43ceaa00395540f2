import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import { isUuid, type ProjectId, type UserId } from "../../../kernel/ids.js"
import { toStorableText } from "../../../kernel/json.js"
import { requireLength } from "../../../kernel/text-length.js"
import type { Ids } from "../../../platform/ids/ids.js"
import { createSecret } from "../../access/index.js"
import type { DashboardsService } from "../dashboards.service.js"
import type { IssuedShareLink, ShareLink, ShareLinkInput } from "./share-link.graphql.js"
import type { ShareLinkRepository } from "./share-link.repository.js"

const TOKEN_PREFIX = "shd_"
const MAX_LABEL_LENGTH = 100
const DAY_MS = 86_400_000
const USUAL_DAYS = 30
const MAX_DAYS = 366

export interface ShareLinksDependencies {
  readonly links: ShareLinkRepository
  readonly dashboards: Pick<DashboardsService, "findMany">
  readonly clock: Clock
  readonly ids: Pick<Ids, "secret" | "uuidV7">
}

export type ShareLinksService = ReturnType<typeof createShareLinksService>

/** Use cases of links to dashboards, for those who manage them. */
export function createShareLinksService({ links, dashboards, clock, ids }: ShareLinksDependencies) {
  const now = (): Date => new Date(clock.now())

  return {
    /** Live links of a dashboard, newest first; none of one that there is not. */
    list: (projectId: ProjectId, shortId: string): Promise<ShareLink[]> => links.list(projectId, shortId, now()),

    /**
     * Makes a link. The token is stored as its hash alone.
     * @param requireMayShow refuses a caller who may not see what the link will show
     * @throws AppError not_found, max_length, invalid_input for an end that is past or too far away.
     */
    async create(
      projectId: ProjectId,
      userId: UserId,
      shortId: string,
      { label, expiresAt }: ShareLinkInput,
      requireMayShow: () => Promise<unknown>,
    ): Promise<IssuedShareLink> {
      const [dashboard] = await dashboards.findMany(projectId, [shortId])
      if (dashboard === undefined || dashboard.deleted) throw new AppError("not_found")
      await requireMayShow()
      requireLength("label", label ?? "", MAX_LABEL_LENGTH)
      const createdAt = now()
      const end = expiresAt ?? new Date(createdAt.getTime() + USUAL_DAYS * DAY_MS)
      if (end <= createdAt || end.getTime() > createdAt.getTime() + MAX_DAYS * DAY_MS)
        throw new AppError("invalid_input", { attr: "expiresAt", detail: "A link ends within a year from now." })
      const token = ids.secret(TOKEN_PREFIX)
      const { id, hash: tokenHash, maskedValue: maskedToken } = createSecret(ids, token)
      const link = { id, label: toStorableText(label ?? ""), tokenHash, maskedToken, createdAt, expiresAt: end }
      return { ...(await links.insert(dashboard.id, link, userId)), token }
    },

    /** Ends a link at once. @throws AppError not_found. */
    async revoke(projectId: ProjectId, userId: UserId, id: string): Promise<void> {
      const wasLive = isUuid(id) && (await links.revoke(projectId, id.toLowerCase(), userId, now()))
      if (!wasLive) throw new AppError("not_found")
    },
  }
}
