import { defineEntity, p } from "@mikro-orm/core"
import type { JsonObject } from "../../kernel/json.js"
import { UserEntity } from "../access/index.js"
import { ProjectEntity } from "../projects/index.js"
import type { Tile } from "./dashboards.types.js"

const DashboardSchema = defineEntity({
  name: "Dashboard",
  tableName: "dashboard",
  properties: {
    id: p.integer().primary().autoincrement(),
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id"),
    shortId: p.string(),
    name: p.string(),
    description: p.text(),
    tags: p.array(String),
    pinned: p.boolean(),
    filters: p.json<JsonObject>(),
    tiles: p.json<readonly Tile[]>(),
    version: p.integer(),
    deleted: p.boolean(),
    createdAt: p.datetime(),
    createdById: () => p.manyToOne(UserEntity).mapToPk().fieldName("created_by_id").strictNullable(),
    lastModifiedAt: p.datetime(),
    lastModifiedById: () => p.manyToOne(UserEntity).mapToPk().fieldName("last_modified_by_id").strictNullable(),
  },
})
/** A row of `dashboard`. */
export class DashboardEntity extends DashboardSchema.class {}
DashboardSchema.setClass(DashboardEntity)
