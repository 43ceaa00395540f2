import { Resolver, Root, Subscription } from "type-graphql"
import type { ProjectId } from "../../../kernel/ids.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import { ProjectScope } from "../../access/index.js"
import { FlagsRevisionType } from "./flag-changes.graphql.js"
import type { RulesRevision } from "./watch-rules.js"

const SCOPE = "feature_flag:read"

/** Tells of changes of flags as they happen, so that nobody has to poll. */
@Resolver()
export class FlagChangesResolver {
  constructor(private readonly watch: (projectId: ProjectId) => AsyncIterableIterator<RulesRevision>) {}

  @Subscription(() => FlagsRevisionType, {
    description: "The present revision of the project's flags first, then each later one.",
    subscribe: async ({ args, context }: { args: { projectId: string }; context: RequestContext }) => {
      const projectId = await context.access.requireProject(context, args.projectId, SCOPE)
      return context.findResolver(FlagChangesResolver).watch(projectId)
    },
  })
  flagsChanged(@ProjectScope(SCOPE) _projectId: ProjectId, @Root() revision: RulesRevision): RulesRevision {
    return revision
  }
}
