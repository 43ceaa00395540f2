import { defineEntity, OptionalProps, p } from "@mikro-orm/core"
import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import { OrganizationEntity } from "../access/index.js"

const ProjectSchema = defineEntity({
  name: "Project",
  tableName: "project",
  properties: {
    id: p.integer().$type<ProjectId>().primary().autoincrement(),
    uuid: p.uuid(),
    organizationId: () => p.manyToOne(OrganizationEntity).mapToPk().fieldName("organization_id"),
    name: p.text(),
    timezone: p.text(),
    weekStartDay: p.smallint(),
    settings: p.json<JsonObject>(),
    createdAt: p.datetime(),
    keys: () => p.oneToMany(ProjectKeyEntity).mappedBy("project").orderBy({ createdAt: "asc", id: "asc" }),
  },
})
/** A row of `project`. */
export class ProjectEntity extends ProjectSchema.class {
  declare [OptionalProps]?: "liveKeys" | "apiToken"
  /** Live keys, oldest first; `keys` must have been loaded. */
  get liveKeys(): ProjectKeyEntity[] {
    return this.keys.filter(({ revokedAt }) => revokedAt === null)
  }
  /** The oldest live key; null when all were revoked. */
  get apiToken(): string | null {
    return this.liveKeys[0]?.token ?? null
  }
}
ProjectSchema.setClass(ProjectEntity)

const ProjectKeySchema = defineEntity({
  name: "ProjectKey",
  tableName: "project_key",
  properties: {
    id: p.uuid().primary(),
    project: () => p.manyToOne(ProjectEntity),
    token: p.text(),
    createdAt: p.datetime(),
    revokedAt: p.datetime().strictNullable(),
  },
})
/** A row of `project_key`. */
export class ProjectKeyEntity extends ProjectKeySchema.class {}
ProjectKeySchema.setClass(ProjectKeyEntity)

const ProjectSecretSchema = defineEntity({
  name: "ProjectSecret",
  tableName: "project_secret",
  properties: {
    id: p.uuid().primary(),
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id"),
    hash: p.text().hidden(),
    maskedValue: p.text().fieldName("hint"),
    createdAt: p.datetime(),
    revokedAt: p.datetime().strictNullable(),
  },
})
/** A row of `project_secret`. */
export class ProjectSecretEntity extends ProjectSecretSchema.class {}
ProjectSecretSchema.setClass(ProjectSecretEntity)

/** What `openDatabase` must know of this feature. */
export const projectEntities = [ProjectEntity, ProjectKeyEntity, ProjectSecretEntity]
