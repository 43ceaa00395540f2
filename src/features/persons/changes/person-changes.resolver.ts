import { Arg, ID, Int, Mutation, Resolver } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { JsonScalar } from "../../../platform/graphql/scalars.js"
import { ProjectScope } from "../../access/index.js"
import { type Person, PersonType } from "../directory/persons.graphql.js"
import { toProperties } from "../person-properties.js"
import type { PersonChangesService } from "./person-changes.service.js"

const SCOPE = "person:write"
const ID_DESCRIPTION = { description: "UUID of the person, or its number in recordings." }
const DELETE_EVENTS = { defaultValue: false, description: "Whether all events of the deleted go too." }
const DELETE_RECORDINGS = { defaultValue: false, description: "Whether all recordings of the deleted go too." }

/** GraphQL operations that change persons. */
@Resolver(() => PersonType)
export class PersonChangesResolver {
  constructor(private readonly changes: PersonChangesService) {}

  @Mutation(() => Boolean, {
    description:
      "Deletes a person for good, on request with all its events and recordings. Its distinct ids may be used again. Always true.",
  })
  async deletePerson(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("id", () => ID, ID_DESCRIPTION) id: string,
    @Arg("deleteEvents", () => Boolean, DELETE_EVENTS) events: boolean,
    @Arg("deleteRecordings", () => Boolean, DELETE_RECORDINGS) recordings: boolean,
  ): Promise<boolean> {
    await this.changes.delete(projectId, id, { events, recordings })
    return true
  }

  @Mutation(() => Int, {
    description: "Deletes up to 1,000 persons as `deletePerson` does; answers how many there were.",
  })
  deletePersons(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("ids", () => [ID], { nullable: true, description: "UUIDs of persons." }) ids: string[] | undefined,
    @Arg("distinctIds", () => [String], { nullable: true, description: "Instead of ids: any distinct ids of theirs." })
    distinctIds: string[] | undefined,
    @Arg("deleteEvents", () => Boolean, DELETE_EVENTS) events: boolean,
    @Arg("deleteRecordings", () => Boolean, DELETE_RECORDINGS) recordings: boolean,
  ): Promise<number> {
    return this.changes.deleteMany(projectId, { ids, distinctIds }, { events, recordings })
  }

  @Mutation(() => [PersonType], {
    description:
      "Undoes merges: one distinct id stays with the person and its properties, each other one gets a new person. Events follow their distinct id. Answers the new persons.",
  })
  splitPerson(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("id", () => ID, ID_DESCRIPTION) id: string,
    @Arg("mainDistinctId", () => String, {
      nullable: true,
      description: "The id that stays; the first of `distinctIds` when absent.",
    })
    mainDistinctId: string | undefined,
  ): Promise<Person[]> {
    return this.changes.split(projectId, id, mainDistinctId ?? null)
  }

  @Mutation(() => Boolean, {
    description: "Sets and removes properties of a person by sending an event that does so. Always true.",
  })
  async updatePerson(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("id", () => ID, ID_DESCRIPTION) id: string,
    @Arg("set", () => JsonScalar, { nullable: true, description: "Properties with their new values, an object." })
    set: Json | undefined,
    @Arg("unset", () => [String], { nullable: true, description: "Names of properties to remove." })
    unset: string[] | undefined,
  ): Promise<boolean> {
    await this.changes.update(projectId, id, toProperties(set), unset ?? [])
    return true
  }
}
