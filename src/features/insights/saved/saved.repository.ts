import type { EntityManager } from "@mikro-orm/postgresql"
import DataLoader from "dataloader"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { LoaderFactory } from "../../../kernel/request-context.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Records } from "../../../platform/postgres/records.js"
import { BY_ID, toOrderColumn } from "../../../platform/postgres/sql-order.js"
import { type AuditedFields, listChanges, recordProjectActivity } from "../../access/index.js"
import { FavouriteEntity } from "./favourite.entity.js"
import type { Saved, SavedBy, SavedFilter, SavedKind } from "./saved.types.js"

/** Newest change first. */
export const NEWEST_CHANGE_FIRST = [toOrderColumn("lastModifiedAt", "time"), BY_ID].map((column) => ({
  ...column,
  isDescending: true,
}))

const COMMON_FIELDS: AuditedFields = { name: "name", description: "description", tags: "tags", deleted: "deleted" }

/**
 * Keeps what belongs to a change beside the record itself, in the unit of work of `em`: the entry in the audit log, unless
 * nothing changed, and whether it is a favourite of the user's.
 * @param before values before the change; null for a new record
 */
export async function completeChange(
  em: EntityManager,
  ids: Pick<Ids, "uuidV7">,
  { kind, fields }: { readonly kind: SavedKind; readonly fields: AuditedFields },
  { before, after }: { readonly before: object | null; readonly after: Saved },
  { userId, at, isFavourite }: SavedBy,
): Promise<void> {
  const { projectId, id, deleted } = after
  const changes = before === null ? [] : listChanges({ ...COMMON_FIELDS, ...fields }, before, after)
  if (before === null || changes.length > 0) {
    const isDeletion = deleted && changes.some(({ field }) => field === "deleted")
    const activity = before === null ? "created" : isDeletion ? "deleted" : "updated"
    const change = { projectId, scope: kind, itemId: String(id), activity, changes }
    recordProjectActivity(em, change, { id: ids.uuidV7(), userId, at })
  }
  const favourite = { projectId, userId, kind, itemId: id }
  if (isFavourite === true) await em.upsert(FavouriteEntity, favourite)
  if (isFavourite === false) await em.nativeDelete(FavouriteEntity, favourite)
}

/** The conditions of a list in the ORM's words. */
export async function toSavedConditions(
  records: Records,
  kind: SavedKind,
  projectId: ProjectId,
  { search, tags, createdBy, favouriteOf }: SavedFilter,
) {
  const pattern = `%${search?.replace(/[\\%_]/g, "\\$&") ?? ""}%`
  const favourites =
    favouriteOf === undefined ? [] : await findFavourites(records, { projectId, userId: favouriteOf, kind })
  return {
    projectId,
    deleted: false,
    ...(search !== undefined && { $or: [{ name: { $ilike: pattern } }, { description: { $ilike: pattern } }] }),
    ...(tags !== undefined && { tags: { $contains: [...tags] } }),
    ...(createdBy !== undefined && { createdById: createdBy }),
    ...(favouriteOf !== undefined && { id: { $in: favourites } }),
  }
}

/** Whose favourites of which kind. */
interface FavouritesKey {
  readonly projectId: ProjectId
  readonly userId: UserId
  readonly kind: SavedKind
}

async function findFavourites(records: Records, key: FavouritesKey): Promise<number[]> {
  const found = await records.read((em) => em.find(FavouriteEntity, key))
  return found.map(({ itemId }) => itemId)
}

export type FavouritesLoader = LoaderFactory<FavouritesKey, ReadonlySet<number>>

/** Loads the numbers of a user's favourites, read once for all that ask at the same time; a change may come later. */
export const createFavouritesLoader =
  (records: Records): FavouritesLoader =>
  () =>
    new DataLoader<FavouritesKey, ReadonlySet<number>>(
      async (keys) => {
        const wanted = new Map(keys.map((key) => [Object.values(key).join(), key]))
        const found = await Promise.all(
          [...wanted].map(async ([text, key]) => [text, new Set(await findFavourites(records, key))] as const),
        )
        const sets = new Map(found)
        return keys.map((key) => sets.get(Object.values(key).join()) ?? new Set())
      },
      { cache: false },
    )
