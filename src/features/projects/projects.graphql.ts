import { ArgsType, Field, ID, Int, ObjectType } from "type-graphql"
import type { OrganizationId, ProjectId } from "../../kernel/ids.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import { createConnectionType } from "../../platform/graphql/connection.js"
import { DateTimeScalar, JsonScalar } from "../../platform/graphql/scalars.js"
import { PathCleaningInput } from "./path-cleaning.graphql.js"

@ObjectType("ProjectKey", { description: "A key with which apps send events and ask for flags. It may be public." })
export class ProjectKeyType {
  @Field(() => ID, { description: "Id of the key, for revoking it." })
  id!: string
  @Field(() => String, { description: "The key itself; the SDKs' `api_key`." })
  token!: string
  @Field(() => DateTimeScalar, { description: "When it was made." })
  createdAt!: Date
}

@ObjectType("Project", { description: "One product's data, apart from every other project's." })
export class ProjectType {
  @Field(() => Int, { description: "Number of the project, as in `projectId` and in REST paths." })
  id!: ProjectId
  @Field(() => ID, { description: "UUID of the project." })
  uuid!: string
  @Field(() => ID, { description: "Organization that owns it." })
  organizationId!: OrganizationId
  @Field(() => String, { description: "Its name." })
  name!: string
  @Field(() => String, { description: "IANA time zone in which queries cut days." })
  timezone!: string
  @Field(() => Int, { description: "First day of the week in queries: 0 is Sunday, 6 is Saturday." })
  weekStartDay!: number
  @Field(() => JsonScalar, { description: "Options that SDKs and features read: an object." })
  settings!: JsonObject
  @Field(() => String, { nullable: true, description: "The oldest live key; null when all were revoked." })
  apiToken!: string | null
  @Field(() => DateTimeScalar, { description: "When it was made." })
  createdAt!: Date
}

export const ProjectConnection = createConnectionType("Project", () => ProjectType)

@ArgsType()
export class ProjectArgs {
  @Field(() => String, { nullable: true, description: "Name, 1 to 200 characters; required for a new project." })
  name?: string | null
  @Field(() => String, { nullable: true, description: "IANA time zone; UTC for a new project." })
  timezone?: string | null
  @Field(() => Int, { nullable: true, description: "0 (Sunday, the default) to 6 (Saturday)." })
  weekStartDay?: number | null
  @Field(() => JsonScalar, {
    nullable: true,
    description: "Object merged into the settings; null under a key removes it.",
  })
  settings?: Json
  @Field(() => [PathCleaningInput], {
    nullable: true,
    description: "Rules by which queries clean paths, in place of those before: at most 50, applied in their order.",
  })
  pathCleaningFilters?: PathCleaningInput[] | null
}

@ArgsType()
export class CreateProjectArgs extends ProjectArgs {
  @Field(() => ID, {
    nullable: true,
    description: "Organization that shall own it; the one of the caller's current project when absent.",
  })
  organizationId?: string | null
}
