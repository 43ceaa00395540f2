import { defineEntity, p } from "@mikro-orm/core"
import type { OrganizationId, ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"

const ProjectSchema = defineEntity({
  name: "Project",
  tableName: "project",
  properties: {
    id: p.integer().$type<ProjectId>().primary().autoincrement(),
    uuid: p.uuid(),
    organizationId: p.uuid().$type<OrganizationId>(),
    name: p.text(),
    timezone: p.text(),
    weekStartDay: p.smallint(),
    settings: p.json<JsonObject>(),
    createdAt: p.datetime(),
    keys: () => p.oneToMany(ProjectKeyEntity).mappedBy("project").orderBy({ createdAt: "asc", id: "asc" }),
  },
})
/** A row of `project`. */
export class ProjectEntity extends ProjectSchema.class {}
ProjectSchema.setClass(ProjectEntity)

const ProjectKeySchema = defineEntity({
  name: "ProjectKey",
  tableName: "project_key",
  properties: {
    id: p.uuid().primary(),
    project: () => p.manyToOne(ProjectEntity),
    token: p.text(),
    createdAt: p.datetime(),
    revokedAt: p.datetime().nullable(),
  },
})
/** A row of `project_key`. */
export class ProjectKeyEntity extends ProjectKeySchema.class {}
ProjectKeySchema.setClass(ProjectKeyEntity)

/** What `openDatabase` must know of this feature. */
export const projectEntities = [ProjectEntity, ProjectKeyEntity]
