import { type FilterQuery, LockMode, raw, UniqueConstraintViolationException, wrap } from "@mikro-orm/core"
import type { EntityManager } from "@mikro-orm/postgresql"
import { AppError } from "../../../kernel/errors.js"
import { asUserId, type ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import type { Ids } from "../../../platform/ids/ids.js"
import { readRecords } from "../../../platform/postgres/record-list.js"
import type { Records } from "../../../platform/postgres/records.js"
import { BY_ID, type SqlOrderColumn, toOrderColumn } from "../../../platform/postgres/sql-order.js"
import { recordActivity, redactActivity } from "../../access/index.js"
import { lockRules, readRulesVersion } from "../../cohorts/index.js"
import type { Flag, FlagFilter, FlagOrder, FlagRepository } from "../flags.types.js"
import { FlagEntity } from "./flag.entity.js"
import { listFlagChanges } from "./list-flag-changes.js"
import { redactPayloads } from "./payload-secrets.js"

const SCOPE = "FeatureFlag"
const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const
const NEWEST_FIRST: FlagOrder = { field: "createdAt", descending: true }
/** Keys and descriptions may be long; cursors are to be short (`docs/contract/management.md#paging`). */
const AS_TEXT = { maxCharacters: 400 }
const ORDERS: Readonly<Record<FlagOrder["field"], SqlOrderColumn>> = {
  createdAt: toOrderColumn("createdAt", "time"),
  updatedAt: toOrderColumn("updatedAt", "time"),
  key: toOrderColumn("key", "text", AS_TEXT),
  name: toOrderColumn("name", "text", AS_TEXT),
  active: toOrderColumn("active", "boolean"),
  createdById: toOrderColumn("createdById", "integer", { isNullable: true }),
}

/** Flags in PostgreSQL. Rule version and audit log change in the transaction of the flag. */
export function createFlagRepository(records: Records, ids: Pick<Ids, "uuidV7">): FlagRepository {
  const record = (em: EntityManager, flag: Flag, activity: string, changes: Json): void => {
    const { projectId, lastModifiedById: userId, updatedAt: createdAt } = flag
    const what = { scope: SCOPE, itemId: String(flag.id), activity, changes }
    recordActivity(em, { ...what, id: ids.uuidV7(), projectId, organizationId: null, userId, createdAt })
  }
  return {
    list: (projectId, filter, page, { field, descending: isDescending } = NEWEST_FIRST) => {
      const where = toConditions(projectId, filter)
      return readRecords(
        records,
        {
          order: [ORDERS[field], BY_ID].map((column) => ({ ...column, isDescending })),
          find: (em, { beyond, options }) => em.find(FlagEntity, { $and: [where, beyond] }, options),
          count: (em) => em.count(FlagEntity, where),
        },
        page,
      )
    },

    find: (projectId, id) => records.read((em) => em.findOne(FlagEntity, { projectId, id })),

    readRulesVersion: (projectId) => records.read((em) => readRulesVersion(em, projectId)),

    insert: (flag, rulesVersion) =>
      withUniqueKeys(
        records.write(async (em) => {
          if ((await lockRules(em, flag.projectId)) !== rulesVersion) return null
          const created = em.create(FlagEntity, { ...flag, version: 1 })
          await em.flush()
          record(em, created, "created", { key: flag.key })
          return created
        }),
      ),

    update: (projectId, id, expectedVersion, changes, rulesVersion, origin) =>
      withUniqueKeys(
        records.write(async (em) => {
          const present = await lockRules(em, projectId)
          if (rulesVersion !== null && rulesVersion !== present) return null
          const flag = await em.findOne(FlagEntity, { projectId, id, version: expectedVersion }, LOCKED)
          if (flag === null) return null
          const before = wrap(flag).toPOJO()
          em.assign(flag, { ...changes, version: expectedVersion + 1 })
          if (flag.hasEncryptedPayloads && !before.hasEncryptedPayloads)
            await redactActivity(em, { projectId, scope: SCOPE, itemId: String(id) }, redactPayloads)
          const activity = changes.deleted === true ? "deleted" : "updated"
          record(em, flag, origin?.activity ?? activity, listFlagChanges(before, flag))
          await origin?.alongside(em)
          return flag
        }),
      ),
  }
}

/** @throws AppError unique where PostgreSQL refuses a second flag of one key. */
async function withUniqueKeys<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error
    throw new AppError("unique", { attr: "key", detail: "There is already a feature flag with this key." })
  }
}

const HAS_VARIANTS = "jsonb_path_exists(filters, '$.multivariate.variants[*]')"

function toConditions(projectId: ProjectId, filter: FlagFilter): FilterQuery<FlagEntity> {
  const { search, active, kind, createdById, evaluationRuntime, tags, ids } = filter
  const conditions: FilterQuery<FlagEntity>[] = [{ projectId, deleted: false }]
  if (active !== undefined) conditions.push({ active })
  if (createdById !== undefined) conditions.push({ createdById: asUserId(createdById) })
  if (evaluationRuntime !== undefined) conditions.push({ evaluationRuntime })
  if (tags !== undefined) conditions.push({ tags: { $overlap: [...tags] } })
  if (ids !== undefined) conditions.push({ id: { $in: [...ids] } })
  if (kind !== undefined) conditions.push({ isRemoteConfiguration: kind === "remote_config" })
  if (kind === "boolean" || kind === "multivariant") conditions.push({ [raw(HAS_VARIANTS)]: kind === "multivariant" })
  if (search !== undefined && search !== "") {
    const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`
    conditions.push({ $or: [{ key: { $ilike: pattern } }, { name: { $ilike: pattern } }] })
  }
  return { $and: conditions }
}
