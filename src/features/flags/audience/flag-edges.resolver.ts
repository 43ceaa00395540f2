import { Arg, Ctx, ID, Int, Query, Resolver } from "type-graphql"
import type { FlagResult } from "../../../flag-engine/index.js"
import { asPersonId, type PersonId, type ProjectId } from "../../../kernel/ids.js"
import { createLookUpLoader, type InProject } from "../../../kernel/project-loader.js"
import type { LoaderFactory, RequestContext } from "../../../kernel/request-context.js"
import { ProjectScope } from "../../access/index.js"
import { type Cohort, CohortType } from "../../cohorts/index.js"
import { FlagDecisionEntryType } from "../decide/decide.graphql.js"
import { toDecisionEntry } from "../decide/decide.resolver.js"
import type { FlagReads } from "../manage/flag-reads.service.js"
import { toFlagId } from "../manage/flags.resolver.js"
import type { CohortUse } from "./cohort-uses.service.js"
import type { AudienceEstimate, FlagAudience } from "./flag-audience.service.js"
import { CohortUsesType, FlagReachType } from "./flag-edges.graphql.js"
import type { PersonTargeting } from "./person-targeting.service.js"

const SCOPE = "feature_flag:read"
const PERSON_ID = { description: "UUID of the person." }

type ForPersons<Found> = LoaderFactory<InProject<string>, ({ readonly id: PersonId } & Found) | null>

/** GraphQL operations behind edges from and to flags; what many records of one request lead to is read together. */
@Resolver()
export class FlagEdgesResolver {
  private readonly flagsOf: ForPersons<{ flags: FlagResult[] }>
  private readonly cohortsOf: ForPersons<{ cohorts: Cohort[] }>
  private readonly usesOf: LoaderFactory<InProject<string>, CohortUse | null>
  private readonly reachOf: LoaderFactory<InProject<string>, { id: number; reach: AudienceEstimate[] } | null>

  constructor(
    persons: PersonTargeting,
    findUses: (projectId: ProjectId, cohortIds: readonly number[]) => Promise<CohortUse[]>,
    flags: Pick<FlagReads, "named">,
    audience: FlagAudience,
  ) {
    this.flagsOf = createLookUpLoader(
      (projectId, ids) => persons.flags(projectId, ids.map(asPersonId)),
      ({ id }) => id,
    )
    this.cohortsOf = createLookUpLoader(
      (projectId, ids) => persons.cohorts(projectId, ids.map(asPersonId)),
      ({ id }) => id,
    )
    this.usesOf = createLookUpLoader(
      (projectId, ids) => findUses(projectId, ids.map(Number)),
      ({ cohortId }) => String(cohortId),
    )
    this.reachOf = createLookUpLoader(
      async (projectId, ids) => {
        const found = await flags.named(projectId, ids.map(toFlagId))
        const reach = await audience.estimateMany(projectId, found)
        return found.map(({ id }, index) => ({ id, reach: reach[index] ?? [] }))
      },
      ({ id }) => String(id),
    )
  }

  @Query(() => [FlagDecisionEntryType], { description: "What every flag is for a stored person, and why." })
  async personFlags(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("personId", () => ID, PERSON_ID) personId: string,
  ): Promise<FlagDecisionEntryType[]> {
    const found = await context.loader(this.flagsOf).load({ projectId, key: personId })
    return (found?.flags ?? []).map(toDecisionEntry)
  }

  @Query(() => [CohortType], { description: "Cohorts that hold a stored person now." })
  async personCohorts(
    @ProjectScope("cohort:read") projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("personId", () => ID, PERSON_ID) personId: string,
  ): Promise<Cohort[]> {
    return (await context.loader(this.cohortsOf).load({ projectId, key: personId }))?.cohorts ?? []
  }

  @Query(() => CohortUsesType, { description: "Flags and cohorts that ask for a cohort." })
  async cohortUses(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("cohortId", () => Int, { description: "Number of the cohort." }) cohortId: number,
  ): Promise<CohortUsesType> {
    const found = await context.loader(this.usesOf).load({ projectId, key: String(cohortId) })
    return found ?? { featureFlags: [], cohorts: [] }
  }

  @Query(() => [FlagReachType], { description: "How many each release condition of a flag is about." })
  async featureFlagAudience(
    @ProjectScope(SCOPE) projectId: ProjectId,
    @Ctx() context: RequestContext,
    @Arg("flagId", () => Int, { description: "Number of the flag." }) flagId: number,
  ): Promise<FlagReachType[]> {
    const found = await context.loader(this.reachOf).load({ projectId, key: String(flagId) })
    return (found?.reach ?? []).map((estimate, index) => ({ ...estimate, index }))
  }
}
