import { defineEntity, p } from "@mikro-orm/core"
import { UserEntity } from "../../access/index.js"
import { ProjectEntity } from "../../projects/index.js"
import type { SavedKind } from "./saved.types.js"

const FavouriteSchema = defineEntity({
  name: "Favourite",
  tableName: "favourite",
  properties: {
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id").primary(),
    userId: () => p.manyToOne(UserEntity).mapToPk().fieldName("user_id").primary(),
    kind: p.text().$type<SavedKind>().primary(),
    itemId: p.integer().primary(),
  },
})
/** A row of `favourite`: a user wants to find something first. */
export class FavouriteEntity extends FavouriteSchema.class {}
FavouriteSchema.setClass(FavouriteEntity)
