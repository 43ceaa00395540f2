import { defineEntity, p } from "@mikro-orm/core"
import { UserEntity } from "../access/index.js"
import { ProjectEntity } from "../projects/index.js"
import type { DefinitionKind } from "./definitions.types.js"

const KEY = {
  projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id").primary(),
  kind: p.text().$type<DefinitionKind>().primary(),
  groupTypeIndex: p.smallint().primary(),
  name: p.text().primary(),
}
const NOTE = {
  description: p.text(),
  ownerId: () => p.manyToOne(UserEntity).mapToPk().fieldName("owner_id").strictNullable(),
  isVerified: p.boolean().fieldName("verified"),
  tags: p.array(String),
  isHidden: p.boolean().fieldName("hidden"),
  lastModifiedById: () => p.manyToOne(UserEntity).mapToPk().fieldName("last_modified_by_id").strictNullable(),
}

const DefinitionSchema = defineEntity({
  name: "Definition",
  tableName: "definition",
  properties: {
    ...KEY,
    ...NOTE,
    propertyType: p.text().strictNullable(),
    createdAt: p.datetime().strictNullable(),
    lastModifiedAt: p.datetime().strictNullable(),
  },
})
/** A row of the view `definition`, which is read only: a name with what is said of it. */
export class DefinitionEntity extends DefinitionSchema.class {}
DefinitionSchema.setClass(DefinitionEntity)

const DefinitionNoteSchema = defineEntity({
  name: "DefinitionNote",
  tableName: "definition_note",
  properties: { ...KEY, ...NOTE, lastModifiedAt: p.datetime() },
})
/** A row of `definition_note`: what is said of a name. */
export class DefinitionNoteEntity extends DefinitionNoteSchema.class {}
DefinitionNoteSchema.setClass(DefinitionNoteEntity)

/** What `openDatabase` must know of this feature. */
export const definitionEntities = [DefinitionEntity, DefinitionNoteEntity]
