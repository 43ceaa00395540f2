import { type FilterQuery, raw, UniqueConstraintViolationException } from "@mikro-orm/core"
import type { EntityManager } from "@mikro-orm/postgresql"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import { recordActivity } from "../../access/index.js"
import { lockRules, readRulesVersion } from "../../cohorts/index.js"
import type { Flag, FlagChanges, FlagFilter, FlagOrder, FlagRepository } from "../flags.types.js"
import { FlagEntity } from "./flag.entity.js"
import { REDACTED_PAYLOAD, shownFilters } from "./payload-secrets.js"

/** As plain rows: making entities of a thousand flags, to look at one, took most of the time of a change. */
const SELECT = `
  SELECT id, project_id AS "projectId", key, name, filters, active, deleted, version,
    ensure_experience_continuity AS "ensureExperienceContinuity", bucketing_identifier AS "bucketingIdentifier",
    evaluation_runtime AS "evaluationRuntime", evaluation_contexts AS "evaluationContexts", tags,
    is_remote_configuration AS "isRemoteConfiguration", has_encrypted_payloads AS "hasEncryptedPayloads",
    created_at AS "createdAt", created_by_id AS "createdById", updated_at AS "updatedAt",
    last_modified_by_id AS "lastModifiedById"
  FROM feature_flag WHERE project_id = $1 AND NOT deleted`

/** What a flag showed before its payloads became secret is in earlier entries of the log. */
const FORGET_PAYLOADS = `
  UPDATE activity_log SET changes = jsonb_set(changes, '{filters,payloads}', (
    SELECT jsonb_object_agg(name, to_jsonb('${REDACTED_PAYLOAD}'::text)) FROM jsonb_object_keys(changes #> '{filters,payloads}') name))
  WHERE scope = 'FeatureFlag' AND item_id = ? AND project_id = ? AND changes #> '{filters,payloads}' <> '{}'
    AND jsonb_typeof(changes #> '{filters,payloads}') = 'object'`

/** Flags in PostgreSQL, through the ORM. Rule version and audit log change in the transaction of the flag. */
export function createPostgresFlagRepository(database: Database, ids: Pick<Ids, "uuidV7">): FlagRepository {
  const entities = () => database.orm.em.fork()
  const record = (em: EntityManager, flag: Flag, activity: string, changes: Json): void => {
    const { projectId, lastModifiedById: userId, updatedAt: createdAt } = flag
    const what = { scope: "FeatureFlag", itemId: String(flag.id), activity, changes }
    recordActivity(em, { ...what, id: ids.uuidV7(), projectId, organizationId: null, userId, createdAt })
  }
  const read = (name: string, text: string, values: unknown[]): Promise<Flag[]> =>
    reaching(async () => (await database.pool.query<Flag>({ name: `flags.${name}`, text, values })).rows)
  return {
    list: (projectId, filter, { limit, offset }, { field, descending } = NEWEST_FIRST) =>
      reaching(async () => {
        const direction = descending ? "desc" : "asc"
        const orderBy = [{ [field]: direction }, { id: direction }]
        const found = await entities().findAndCount(FlagEntity, conditionsOf(projectId, filter), {
          limit,
          offset,
          orderBy,
        })
        return { items: found[0].map(toFlag), totalCount: found[1] }
      }),

    all: (projectId) => read("all", `${SELECT} ORDER BY id`, [projectId]),

    findNamed: async (projectId, keyOrId) => {
      const number = /^\d{1,9}$/.test(keyOrId) ? Number(keyOrId) : null
      const found = await read("named", `${SELECT} AND (key = $2 OR id = $3)`, [projectId, keyOrId, number])
      return found.find(({ key }) => key === keyOrId) ?? found[0] ?? null
    },

    find: (projectId, id) =>
      reaching(async () => {
        const flag = await entities().findOne(FlagEntity, { projectId, id })
        return flag === null ? null : toFlag(flag)
      }),

    rulesVersion: (projectId) => reaching(() => readRulesVersion(database.pool, projectId)),

    insert: (flag, rulesVersion) =>
      reaching(() =>
        entities().transactional(async (em) => {
          if ((await lockRules(em, flag.projectId)) !== rulesVersion) return null
          const created = em.create(FlagEntity, { ...flag, version: 1 })
          await em.flush()
          record(em, toFlag(created), "created", { key: flag.key })
          return toFlag(created)
        }),
      ),

    update: (projectId, id, expectedVersion, changes, rulesVersion) =>
      reaching(() =>
        entities().transactional(async (em) => {
          const present = await lockRules(em, projectId)
          if (rulesVersion !== null && rulesVersion !== present) return null
          const version = expectedVersion + 1
          const where = { projectId, id, version: expectedVersion }
          const wasSecret = (await em.count(FlagEntity, { ...where, hasEncryptedPayloads: true })) > 0
          const changed = await em.nativeUpdate(FlagEntity, where, { ...changes, version })
          if (changed === 0) return null
          const flag = toFlag(await em.findOneOrFail(FlagEntity, { projectId, id }))
          if (flag.hasEncryptedPayloads && !wasSecret) await em.execute(FORGET_PAYLOADS, [String(id), projectId])
          const shown = { ...flag, hasEncryptedPayloads: flag.hasEncryptedPayloads || wasSecret }
          record(em, flag, changes.deleted === true ? "deleted" : "updated", shownChanges(shown, changes))
          return flag
        }),
      ),
  }
}

/** The new values, as the log shows them: without what is secret; who and when are fields of their own there. */
function shownChanges(flag: Flag, { updatedAt: _when, lastModifiedById: _who, ...changes }: FlagChanges): Json {
  return { ...changes, ...(changes.filters !== undefined && { filters: shownFilters(flag) }) } as Json
}

async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await whenReachable(work)
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error
    throw new AppError("unique", { attr: "key", detail: "There is already a feature flag with this key." })
  }
}

const NEWEST_FIRST: FlagOrder = { field: "createdAt", descending: true }

const HAS_VARIANTS = "jsonb_path_exists(filters, '$.multivariate.variants[*]')"

function conditionsOf(projectId: ProjectId, filter: FlagFilter): FilterQuery<FlagEntity> {
  const { search, active, kind, createdById, evaluationRuntime, tags, ids } = filter
  const conditions: FilterQuery<FlagEntity>[] = [{ projectId, deleted: false }]
  if (active !== undefined) conditions.push({ active })
  if (createdById !== undefined) conditions.push({ createdById: createdById as UserId })
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

const toFlag = (entity: FlagEntity): Flag => ({
  id: entity.id,
  projectId: entity.projectId,
  key: entity.key,
  name: entity.name,
  filters: entity.filters,
  active: entity.active,
  deleted: entity.deleted,
  version: entity.version,
  ensureExperienceContinuity: entity.ensureExperienceContinuity,
  bucketingIdentifier: entity.bucketingIdentifier,
  evaluationRuntime: entity.evaluationRuntime,
  evaluationContexts: entity.evaluationContexts,
  tags: entity.tags,
  isRemoteConfiguration: entity.isRemoteConfiguration,
  hasEncryptedPayloads: entity.hasEncryptedPayloads,
  createdAt: entity.createdAt,
  createdById: entity.createdById ?? null,
  updatedAt: entity.updatedAt,
  lastModifiedById: entity.lastModifiedById ?? null,
})
