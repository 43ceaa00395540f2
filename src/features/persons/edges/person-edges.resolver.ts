import { Arg, Args, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from "type-graphql"
import { asPersonId, type PersonId, type ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { createLookUpLoader, type InProject } from "../../../kernel/project-loader.js"
import type { LoaderFactory, RequestContext } from "../../../kernel/request-context.js"
import { type Connection, ConnectionArgs, readConnection } from "../../../platform/graphql/connection.js"
import { JsonScalar } from "../../../platform/graphql/scalars.js"
import { ProjectScope } from "../../access/index.js"
import type { PersonLoaders } from "../directory/person.loader.js"
import { GroupObjectType, type Person, PersonConnection, PersonType } from "../directory/persons.graphql.js"
import type { PersonsService } from "../directory/persons.service.js"
import type { GroupKey, PersonEdges } from "./person-edges.service.js"

const GROUP_TYPE_INDEX = { description: "Index of the type, see groupTypes." }
const GROUP_KEY = { description: "Key of the group within its type." }
const SCOPE = "person:read"

/** Persons of one group, wanted as often as `first` says. */
interface MembersWanted extends GroupKey {
  readonly first: number
}

@ObjectType("PersonsOnline", { description: "Who has sent an event just now." })
class PersonsOnlineType {
  @Field(() => Int, { description: "How many there are, visitors without a profile among them." })
  count!: number
  @Field(() => [PersonType], { description: "Of those of the latest events, who has a profile; the latest first." })
  persons!: Person[]
}

/** GraphQL operations on who belongs together; what many records of one request lead to is read together. */
@Resolver()
export class PersonEdgesResolver {
  private readonly groupByKey: LoaderFactory<InProject<string>, GroupObjectType | null>
  private readonly groupsOf: LoaderFactory<InProject<string>, { id: PersonId; groups: readonly GroupKey[] } | null>
  private readonly membersOf: LoaderFactory<InProject<string>, { wanted: string; ids: PersonId[] } | null>

  constructor(
    persons: Pick<PersonsService, "findGroups">,
    private readonly edges: PersonEdges,
    private readonly loaders: Pick<PersonLoaders, "byId">,
  ) {
    this.groupByKey = createLookUpLoader(
      (projectId, wanted) => persons.findGroups(projectId, wanted.map(readWanted)),
      (group) => JSON.stringify(toGroupKey(group)),
    )
    this.groupsOf = createLookUpLoader(
      (projectId, ids) => edges.listGroups(projectId, ids.map(asPersonId)),
      ({ id }) => id,
    )
    this.membersOf = createLookUpLoader(
      (projectId, wanted) => listMembers(edges, projectId, wanted),
      ({ wanted }) => wanted,
    )
  }

  @Query(() => GroupObjectType, { nullable: true, description: "One group by type and key; null if there is none." })
  group(
    @ProjectScope("group:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("typeIndex", () => Int, GROUP_TYPE_INDEX) typeIndex: number,
    @Arg("key", () => String, GROUP_KEY) key: string,
  ): Promise<GroupObjectType | null> {
    const loaded = { projectId, key: JSON.stringify(toGroupKey({ typeIndex, key })) }
    return context.loader(this.groupByKey).load(loaded)
  }

  @Query(() => [GroupObjectType], { description: "Groups of a person's events of the last 90 days, latest first." })
  async personGroups(
    @ProjectScope("group:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("personId", () => ID, { description: "UUID of the person." }) personId: string,
  ): Promise<GroupObjectType[]> {
    const keys = (await context.loader(this.groupsOf).load({ projectId, key: personId }))?.groups ?? []
    const load = (key: GroupKey) => context.loader(this.groupByKey).load({ projectId, key: JSON.stringify(key) })
    return (await Promise.all(keys.map(load))).filter((group) => group !== null)
  }

  @Query(() => [PersonType], { description: "Persons with events of the last 90 days in a group, latest first." })
  async groupPersons(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("typeIndex", () => Int, GROUP_TYPE_INDEX) typeIndex: number,
    @Arg("key", () => String, GROUP_KEY) key: string,
    @Arg("first", () => Int, { defaultValue: 50, description: "How many at most, 1 to 100." }) first: number,
  ): Promise<Person[]> {
    const wanted: MembersWanted = { typeIndex, key, first }
    const found = await context.loader(this.membersOf).load({ projectId, key: JSON.stringify(wanted) })
    const load = (id: PersonId) => context.loader(this.loaders.byId).load({ projectId, key: id })
    return (await Promise.all((found?.ids ?? []).map(load))).filter((person) => person !== null)
  }

  @Query(() => PersonsOnlineType, { description: "Who sent an event in the last minutes." })
  async personsOnline(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("minutes", () => Int, { defaultValue: 5, description: "How far back that is, 1 to 60." }) minutes: number,
    @Arg("first", () => Int, { defaultValue: 10, description: "How many to list at most, 1 to 100." }) first: number,
  ): Promise<PersonsOnlineType> {
    const { count, ids } = await this.edges.listOnline(projectId, { minutes, first })
    const load = (id: PersonId) => context.loader(this.loaders.byId).load({ projectId, key: id })
    return { count, persons: (await Promise.all(ids.map(load))).filter((person) => person !== null) }
  }

  @Query(() => PersonConnection, { description: "Persons whom a cohort holds, in the order of their ids." })
  async cohortPersons(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("cohortId", () => Int, { description: "Number of the cohort." }) cohortId: number,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
  ): Promise<Connection<Person>> {
    return readConnection(paging, ["cohort persons", projectId, cohortId], (page) =>
      this.edges.listOfCohort(projectId, cohortId, page),
    )
  }

  @Query(() => Int, { description: "How many persons the conditions of a cohort hold for, before it is saved." })
  cohortSize(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Arg("filters", () => JsonScalar, { description: "Conditions as a cohort has them." }) filters: Json,
  ): Promise<number> {
    return this.edges.countFitting(projectId, filters)
  }
}

const toGroupKey = ({ typeIndex, key }: GroupKey): GroupKey => ({ typeIndex, key })
const readWanted = (text: string): MembersWanted => JSON.parse(text)

/** Reads what differs only in the key of the group at once. */
async function listMembers(
  edges: Pick<PersonEdges, "listMembers">,
  projectId: ProjectId,
  wanted: readonly string[],
): Promise<{ wanted: string; ids: PersonId[] }[]> {
  const found: { wanted: string; ids: PersonId[] }[] = []
  const alike = Map.groupBy(wanted, (text) => {
    const { typeIndex, first } = readWanted(text)
    return `${typeIndex} ${first}`
  })
  for (const texts of alike.values()) {
    const groups = texts.map(readWanted)
    const [one] = groups
    if (one === undefined) continue
    const lists = await edges.listMembers(projectId, { ...one, keys: groups.map(({ key }) => key) })
    for (const [at, text] of texts.entries()) found.push({ wanted: text, ids: lists[at] ?? [] })
  }
  return found
}
