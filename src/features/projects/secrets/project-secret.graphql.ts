import { Field, ID, ObjectType } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import { DateTimeScalar } from "../../../platform/graphql/scalars.js"

@ObjectType("ProjectSecretKey", {
  description:
    "A key (`phs_…`) with which server SDKs fetch flag definitions and remote configuration of one project, and nothing else. Its value is not stored.",
})
export class ProjectSecretKeyType {
  readonly projectId!: ProjectId
  @Field(() => ID, { description: "Id of the key, for revoking it." })
  id!: string
  @Field(() => String, { description: "First and last four characters of the value." })
  maskedValue!: string
  @Field(() => DateTimeScalar, { description: "When it was made." })
  createdAt!: Date
}

/** A secret key of a project as it may be shown. */
export type ProjectSecret = Readonly<ProjectSecretKeyType>

@ObjectType("IssuedProjectSecretKey", { description: "A key together with its value, which is shown this once." })
export class IssuedProjectSecretKeyType extends ProjectSecretKeyType {
  @Field(() => String, { description: "The value to send as `Authorization: Bearer …`; it cannot be read again." })
  value!: string
}

/** A key together with its value, which is not stored anywhere. */
export type IssuedProjectSecret = Readonly<IssuedProjectSecretKeyType>
