import { Arg, Args, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from "type-graphql"
import { asPersonId, isUuid, type ProjectId } from "../../../kernel/ids.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import { type Connection, ConnectionArgs, readConnection } from "../../../platform/graphql/connection.js"
import { ProjectScope } from "../../access/index.js"
import { type ExportPermits, holdExport } from "../hold-export.js"
import { choosePersonName, orderDistinctIds } from "../person-name.js"
import type { PersonLoaders } from "./person.loader.js"
import {
  GroupConnection,
  type GroupObjectType,
  GroupTypeType,
  type Person,
  PersonConnection,
  PersonFilterInput,
  PersonType,
  PropertyValueType,
} from "./persons.graphql.js"
import { MAX_EXPORTED_PERSONS, type PersonsService } from "./persons.service.js"

/** GraphQL operations on persons and groups. */
@Resolver(() => PersonType)
export class PersonsResolver {
  constructor(
    private readonly persons: PersonsService,
    private readonly loaders: PersonLoaders,
    private readonly exports: ExportPermits,
  ) {}

  @Query(() => PersonConnection, { name: "persons", description: "Persons of a project, newest first." })
  async listPersons(
    @ProjectScope("person:read") projectId: ProjectId,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
    @Arg("filter", () => PersonFilterInput, { nullable: true, description: "Which ones." })
    filter: PersonFilterInput | undefined,
  ): Promise<Connection<Person>> {
    return readConnection(paging, ["persons", projectId, filter], (page) =>
      this.persons.list(projectId, filter ?? {}, page),
    )
  }

  @Query(() => [PersonType], {
    description: `The newest ${MAX_EXPORTED_PERSONS.toLocaleString("en")} persons that meet a filter, for export.`,
  })
  async exportPersons(
    @ProjectScope("person:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("filter", () => PersonFilterInput, { nullable: true, description: "Which ones." })
    filter: PersonFilterInput | undefined,
  ): Promise<readonly Person[]> {
    holdExport(this.exports, context)
    return this.persons.export(projectId, filter ?? {})
  }

  @Query(() => PersonType, {
    nullable: true,
    description: "One person, by id or by any distinct id; null if there is none.",
  })
  person(
    @ProjectScope("person:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("id", () => ID, { nullable: true, description: "UUID of the person, or its number in recordings." })
    id: string | null | undefined,
    @Arg("distinctId", () => String, { nullable: true, description: "Any of the person's distinct ids." })
    distinctId: string | null | undefined,
  ): Promise<Person | null> {
    if (id == null && distinctId != null)
      return context.loader(this.loaders.byDistinctId).load({ projectId, key: distinctId })
    if (distinctId == null && id != null && isUuid(id))
      return context.loader(this.loaders.byId).load({ projectId, key: asPersonId(id.toLowerCase()) })
    return this.persons.find(projectId, id ?? null, distinctId ?? null)
  }

  @Query(() => [PropertyValueType], {
    description: "The 20 values of a person property that most persons have, of the newest 100,000 persons.",
  })
  personPropertyValues(
    @ProjectScope("person:read") projectId: ProjectId,
    @Arg("property", () => String, { description: "Name of the property." }) property: string,
    @Arg("containing", () => String, { nullable: true, description: "Only values that contain this, in any case." })
    containing: string | undefined,
  ): Promise<PropertyValueType[]> {
    return this.persons.propertyValues(projectId, property, containing)
  }

  @Query(() => [GroupTypeType], { description: "Group types of a project; there are at most five." })
  groupTypes(@ProjectScope("group:read") projectId: ProjectId): Promise<GroupTypeType[]> {
    return this.persons.groupTypes(projectId)
  }

  @Query(() => GroupConnection, { name: "groups", description: "Groups of one type, newest first." })
  async listGroups(
    @ProjectScope("group:read") projectId: ProjectId,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
    @Arg("typeIndex", () => Int, { description: "Index of the type, see groupTypes." }) typeIndex: number,
    @Arg("search", () => String, { nullable: true, description: "Part of a key or of the property name, in any case." })
    search: string | undefined,
  ): Promise<Connection<GroupObjectType>> {
    return readConnection(paging, ["groups", projectId, typeIndex, search], (page) =>
      this.persons.groups(projectId, typeIndex, search, page),
    )
  }

  @FieldResolver(() => [String], { description: "Ids under which events of this person came, made-up ones last." })
  async distinctIds(@Root() person: Person, @Ctx() context: RequestContext): Promise<string[]> {
    return orderDistinctIds(await this.listDistinctIds(person, context))
  }

  @FieldResolver(() => String, { description: "E-mail address, name, user name, or the distinct id that says most." })
  async name(@Root() person: Person, @Ctx() context: RequestContext): Promise<string> {
    return choosePersonName(person, await this.listDistinctIds(person, context))
  }

  private listDistinctIds({ projectId, id }: Person, context: RequestContext): Promise<string[]> {
    return context.loader(this.loaders.distinctIds).load({ projectId, key: id })
  }
}
