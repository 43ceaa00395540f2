import { defineEntity, p } from "@mikro-orm/core"
import { UserEntity } from "../access/index.js"
import { ProjectEntity } from "../projects/index.js"
import type { QueryObject } from "../queries/index.js"
import { FavouriteEntity } from "./saved/favourite.entity.js"

const InsightSchema = defineEntity({
  name: "Insight",
  tableName: "insight",
  properties: {
    id: p.integer().primary().autoincrement(),
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id"),
    shortId: p.string(),
    name: p.string(),
    description: p.text(),
    tags: p.array(String),
    query: p.json<QueryObject>(),
    deleted: p.boolean(),
    createdAt: p.datetime(),
    createdById: () => p.manyToOne(UserEntity).mapToPk().fieldName("created_by_id").strictNullable(),
    lastModifiedAt: p.datetime(),
    lastModifiedById: () => p.manyToOne(UserEntity).mapToPk().fieldName("last_modified_by_id").strictNullable(),
  },
})
/** A row of `insight`. */
export class InsightEntity extends InsightSchema.class {}
InsightSchema.setClass(InsightEntity)

/** What `openDatabase` must know of this feature. */
export const insightEntities = [InsightEntity, FavouriteEntity]
