import { Arg, Ctx, ID, Mutation, Resolver } from "type-graphql"
import { AppError } from "../../../kernel/errors.js"
import type { OrganizationId, ProjectId } from "../../../kernel/ids.js"
import type { Principal, RequestContext } from "../../../kernel/request-context.js"
import { PrincipalScope } from "../../access/index.js"
import { FlagCopyType } from "./flag-copies.graphql.js"
import type { FlagCopies, FlagCopy } from "./flag-copies.service.js"

const SCOPE = "feature_flag:write"

/** GraphQL operation that works on several projects of one organization; each of them is checked by itself. */
@Resolver()
export class FlagCopiesResolver {
  constructor(
    private readonly copies: FlagCopies,
    private readonly findOrganizationId: (projectId: ProjectId) => Promise<OrganizationId | null>,
  ) {}

  @Mutation(() => [FlagCopyType], {
    description:
      "Copies a flag to other projects of the organization, over a flag of the same key. Cohorts are found there by name and made where they are missing, which needs `cohort:write`.",
  })
  async copyFeatureFlag(
    @PrincipalScope(SCOPE) principal: Principal,
    @Ctx() context: RequestContext,
    @Arg("fromProjectId", () => ID, { description: "Project that has the flag." }) fromProjectId: string,
    @Arg("key", () => String, { description: "Key of the flag." }) key: string,
    @Arg("targetProjectIds", () => [ID], { description: "At most 50 projects." }) targets: string[],
    @Arg("isDisabled", () => Boolean, { defaultValue: false, description: "Copies are switched off." })
    isDisabled: boolean,
    @Arg("organizationId", () => ID, {
      nullable: true,
      description: "The organization that the project has to be of; `@current` and null take the project's.",
    })
    organizationId?: string | null,
  ): Promise<FlagCopyType[]> {
    const requireIn = (project: string, scope: string) => context.access.requireProject(context, project, scope)
    const from = await requireIn(fromProjectId, SCOPE)
    const isNamed = organizationId != null && organizationId !== "@current"
    if (isNamed && (await this.findOrganizationId(from)) !== organizationId.toLowerCase())
      throw new AppError("not_found", { detail: "Project not found." })
    const copier = { userId: principal.userId, require: requireIn }
    return (await this.copies.copy(copier, { from, key, targets, isDisabled })).map(toCopyType)
  }
}

const toCopyType = (copy: FlagCopy): FlagCopyType =>
  "fault" in copy
    ? { target: copy.target, projectId: null, flag: null, error: copy.fault.message }
    : { target: copy.target, projectId: copy.projectId, flag: copy.flag, error: null }
