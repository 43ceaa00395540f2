import type { FilterQuery } from "@mikro-orm/core"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import type { Ids } from "../../platform/ids/ids.js"
import { readRecords } from "../../platform/postgres/record-list.js"
import type { Records } from "../../platform/postgres/records.js"
import { toOrderColumn } from "../../platform/postgres/sql-order.js"
import { type AuditedFields, listChanges, MembershipEntity, recordProjectActivity } from "../access/index.js"
import { ProjectEntity } from "../projects/index.js"
import { DefinitionEntity, DefinitionNoteEntity } from "./definition.entity.js"
import type { Definition, DefinitionChanges, DefinitionFilter, DefinitionKey } from "./definitions.types.js"

const BY_NAME = [toOrderColumn("groupTypeIndex", "integer"), toOrderColumn("name", "text")]
const AUDITED: AuditedFields = {
  description: "description",
  owner: "ownerId",
  verified: "isVerified",
  tags: "tags",
  hidden: "isHidden",
}
const UNSAID = { description: "", ownerId: null, isVerified: false, tags: [], isHidden: false }

export type DefinitionRepository = ReturnType<typeof createDefinitionRepository>

/**
 * Names with what is said of them, in PostgreSQL. A change and its entry in the audit log are written together. Methods
 * throw AppError store_unavailable when PostgreSQL is away.
 */
export function createDefinitionRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  return {
    /** Names of one kind, in their order. */
    list: (projectId: ProjectId, filter: DefinitionFilter, page: PageRequest): Promise<ListPage<Definition>> => {
      const where = toConditions(projectId, filter)
      return readRecords(
        records,
        {
          order: BY_NAME,
          find: (em, { beyond, options }) => em.find(DefinitionEntity, { $and: [where, beyond] }, options),
          count: (em) => em.count(DefinitionEntity, where),
        },
        page,
      )
    },

    findMany: (projectId: ProjectId, keys: readonly DefinitionKey[]): Promise<Definition[]> =>
      records.read((em) => em.find(DefinitionEntity, { projectId, $or: keys.map((key) => ({ ...key })) })),

    /** Whether somebody is a member of the organization that owns a project. */
    isMember: (projectId: ProjectId, userId: UserId): Promise<boolean> =>
      records.read(async (em) => {
        const { organizationId: organization } = await em.findOneOrFail(ProjectEntity, projectId)
        return (await em.count(MembershipEntity, { organization, user: userId })) > 0
      }),

    /** Null for a name that ingestion has not seen. */
    update: (projectId: ProjectId, key: DefinitionKey, changes: DefinitionChanges, userId: UserId, at: Date) =>
      records.writeExclusively(`definition ${projectId}`, async (em): Promise<Definition | null> => {
        const before = await em.findOne(DefinitionEntity, { projectId, ...key })
        if (before === null) return null
        const after = { ...before, ...changes, lastModifiedAt: at, lastModifiedById: userId }
        const different = listChanges(AUDITED, before, after)
        if (different.length === 0) return before
        const said = { ...changes, lastModifiedAt: at, lastModifiedById: userId }
        const note = await em.findOne(DefinitionNoteEntity, { projectId, ...key })
        if (note === null) em.create(DefinitionNoteEntity, { projectId, ...key, ...UNSAID, ...said })
        else em.assign(note, said)
        const scope = key.kind === "event" ? "EventDefinition" : "PropertyDefinition"
        const change = { projectId, scope, itemId: key.name, activity: "updated", changes: different }
        recordProjectActivity(em, change, { id: ids.uuidV7(), userId, at })
        return after
      }),
  }
}

function toConditions(projectId: ProjectId, filter: DefinitionFilter): FilterQuery<DefinitionEntity> {
  const { kind, groupTypeIndex, names, search, tags, isVerified, hasDescription, isHidden, isEdited } = filter
  const part = { $ilike: `%${search?.replace(/[\\%_]/g, "\\$&") ?? ""}%` }
  return {
    projectId,
    kind,
    ...(groupTypeIndex != null && { groupTypeIndex }),
    ...(names != null && { name: { $in: [...names] } }),
    ...(search != null && { $or: [{ name: part }, { description: part }] }),
    ...(tags != null && { tags: { $contains: [...tags] } }),
    ...(isVerified != null && { isVerified }),
    ...(hasDescription != null && { description: hasDescription ? { $ne: "" } : "" }),
    ...(isHidden != null && { isHidden }),
    ...(isEdited != null && { lastModifiedAt: isEdited ? { $ne: null } : null }),
  }
}
