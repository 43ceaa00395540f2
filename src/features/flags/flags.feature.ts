import { createRuleCompiler, findFlagsUsingCohort } from "../../flag-engine/index.js"
import type { DirectRoute } from "../../kernel/direct-route.types.js"
import type { OrganizationId, ProjectId, UserId } from "../../kernel/ids.js"
import { createPeriodicTask } from "../../kernel/periodic-task.js"
import { createProjectLoader } from "../../kernel/project-loader.js"
import type { LoaderFactory } from "../../kernel/request-context.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import { isEncrypted, type TextCipher } from "../../platform/encryption/text-cipher.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { PubSub } from "../../platform/pubsub/pub-sub.js"
import type { RedisConnection } from "../../platform/redis/redis-connection.js"
import type { ActivityReader, BasicUser } from "../access/index.js"
import type { CohortsService } from "../cohorts/index.js"
import { createChangeRequestRepository } from "./approval/change-request.repository.js"
import { ChangeRequestsResolver } from "./approval/change-requests.resolver.js"
import { createChangeRequests } from "./approval/change-requests.service.js"
import { createGuardedFlags } from "./approval/guarded-flags.service.js"
import { createNeedsApproval } from "./approval/needs-approval.js"
import { createCohortUses } from "./audience/cohort-uses.service.js"
import { createFlagAudience } from "./audience/flag-audience.service.js"
import { createFlagCohorts } from "./audience/flag-cohort.service.js"
import { FlagEdgesResolver } from "./audience/flag-edges.resolver.js"
import { createPersonTargeting, type ListHolding } from "./audience/person-targeting.service.js"
import { createSubjectSamples } from "./audience/subject-samples.store.js"
import { FlagCopiesResolver } from "./copy/flag-copies.resolver.js"
import { createFlagCopies } from "./copy/flag-copies.service.js"
import { createBrowserListRoutes } from "./decide/browser-lists.routes.js"
import { DecideResolver } from "./decide/decide.resolver.js"
import { createDecideRoutes } from "./decide/decide.routes.js"
import { createRemoteConfig, createRemoteConfigRoutes, type RemoteConfig } from "./decide/remote-config.routes.js"
import { createDecisions, type DecisionsDependencies } from "./decisions.feature.js"
import { FlagChangesResolver } from "./definitions/flag-changes.resolver.js"
import { FlagDefinitionsResolver } from "./definitions/flag-definitions.resolver.js"
import { createFlagDefinitions } from "./definitions/flag-definitions.service.js"
import { createFlagStreamEndpoint, type FlagStreamEndpoint } from "./definitions/flag-stream.endpoint.js"
import { watchRules } from "./definitions/watch-rules.js"
import { createFlagExplainer } from "./explain/explain-flag.service.js"
import { createFlagChangesSince } from "./explain/flag-changes-since.store.js"
import { FlagEvaluationsResolver } from "./explain/flag-evaluations.resolver.js"
import { createFormerPersons } from "./explain/former-person.store.js"
import { createFormerRules } from "./explain/former-rules.js"
import type { ProjectDirectory, RuleFreshness } from "./flags.types.js"
import { createFlagRepository } from "./manage/flag.repository.js"
import { createFlagService } from "./manage/flag.service.js"
import { createFlagStore } from "./manage/flag.store.js"
import { FlagActivityResolver } from "./manage/flag-activity.resolver.js"
import { FlagsResolver } from "./manage/flags.resolver.js"
import { createPayloadSecrets } from "./manage/payload-secrets.js"
import { createOfrepRoutes } from "./ofrep/ofrep.routes.js"
import { createProjectForgetter } from "./projects/forget-projects.js"
import { createKnownProjects } from "./projects/known-projects.store.js"
import { snapshotDirectoryIn } from "./projects/rule-snapshots-at-hand.store.js"
import { createFlagRulesService } from "./rules/flag-rules.service.js"
import { createInProcessFlagRuleCache } from "./rules/in-process-flag-rule.cache.js"
import { createRedisFlagRuleCache } from "./rules/redis-flag-rule.cache.js"
import { createRuleSnapshots } from "./rules/rule-snapshot.store.js"
import { createRuleSource } from "./rules/rule-source.store.js"
import { createDueChangeStore } from "./schedule/due-changes.store.js"
import { createChangeMaker } from "./schedule/make-due-changes.js"
import { createScheduledChangeRepository } from "./schedule/scheduled-change.repository.js"
import { ScheduledChangesResolver } from "./schedule/scheduled-changes.resolver.js"
import { createScheduledChanges } from "./schedule/scheduled-changes.service.js"
import { createFlagCallHistory } from "./stale/flag-call-history.store.js"
import { createStaleFlags } from "./stale/stale-flags.service.js"
import { FlagInsightsResolver } from "./usage/flag-insights.resolver.js"

const SWEEP_EVERY_MS = 2_000

export interface FlagsFeatureDependencies extends Omit<DecisionsDependencies, "projects" | "rules"> {
  /** Null when rules are shared within this process alone. */
  readonly redis: RedisConnection | null
  readonly pubSub: PubSub
  readonly projects: ProjectDirectory
  /** `userLoader` of the access feature. */
  readonly userLoader: LoaderFactory<UserId, BasicUser | null>
  readonly auditLog: Pick<ActivityReader, "listByProject">
  /** Where SDKs' reports of flag use are read; without it nothing is known of them. */
  readonly clickHouse?: ClickHouse
  readonly cohorts: CohortsService
  /** Which cohorts hold persons, as queries see it. */
  readonly listHolding: ListHolding
  /** Keeps secret payloads where they are stored; without it there can be none. */
  readonly payloadCipher?: TextCipher | null
  /** Snapshots of rules go into `flag-rules` below it. */
  readonly dataDirectory: string
  readonly ids: Pick<Ids, "uuidV4" | "uuidV7" | "bytes">
}

export interface FlagsFeature {
  /** Resolvers of flags and decisions. */
  readonly resolvers: readonly object[]
  readonly routes: readonly DirectRoute[]
  readonly remoteConfig: RemoteConfig
  readonly flagStream: FlagStreamEndpoint
  /** Keys of the flags that ask for a cohort, directly or through another one. */
  readonly findFlagsUsing: (projectId: ProjectId, cohortId: number) => Promise<string[]>
  /** To be called after a committed change that rules depend on and that was made elsewhere. */
  readonly rulesChanged: (projectId: ProjectId) => Promise<void>
  /** How far the rules of this process may be behind. */
  readonly ruleFreshness: () => RuleFreshness
  /** Makes planned changes of flags; work of the role `query`. */
  readonly dueChanges: ReturnType<typeof createChangeMaker>
  /** Reads what was known before the restart, listens to other processes and sweeps for what they kept back. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Wires flags: management, rules and their caches, decisions. */
export function createFlagsFeature(dependencies: FlagsFeatureDependencies): FlagsFeature {
  const { database, redis, pubSub, userLoader, cohorts, clock, ids, logger } = dependencies
  const snapshotDirectory = snapshotDirectoryIn(dependencies.dataDirectory)
  const cache = redis === null ? createInProcessFlagRuleCache() : createRedisFlagRuleCache(redis)
  const compiler = createRuleCompiler()
  const source = createRuleSource(database)
  const snapshots = createRuleSnapshots(snapshotDirectory)
  const rules = createFlagRulesService({
    source,
    cache,
    compiler,
    snapshots,
    pubSub,
    clock,
    logger,
  })
  const projects = createKnownProjects({ directory: dependencies.projects, clock, logger, snapshotDirectory })
  const forgetter = createProjectForgetter({
    directory: dependencies.projects,
    rules,
    known: projects,
    snapshots,
    logger,
  })
  const repository = createFlagRepository(database.records, ids)
  const store = createFlagStore(database.pool)
  const secrets = createPayloadSecrets(dependencies.payloadCipher ?? null, isEncrypted)
  const flags = createFlagService({ repository, store, cohorts, rules, secrets, clock })

  const plans = createScheduledChangeRepository(database.records, ids)
  const needsApproval = createNeedsApproval(dependencies.projects)
  const scheduled = createScheduledChanges({ repository: plans, flags, needsApproval, clock })
  const requests = createChangeRequestRepository(database.records, ids)
  const flagKeyLoader = createProjectLoader(async (projectId, flagIds) => {
    const keys = await requests.findFlagKeys(projectId, flagIds.map(Number))
    return (flagId) => keys.get(Number(flagId)) ?? ""
  })
  const guardedFlags = createGuardedFlags({ flags, requests, needsApproval, clock })

  const decisions = createDecisions({ ...dependencies, projects, rules })
  const { facts, quota, rateLimit } = decisions

  const remoteConfig = createRemoteConfig(projects, clock)
  const definitions = createFlagDefinitions({ rules, projects: dependencies.projects, quota })
  const calls = createFlagCallHistory(dependencies.clickHouse ?? null)
  const samples = createSubjectSamples(database)
  const audience = createFlagAudience({ rules, samples, cohorts, check: flags.check, compiler, clock })
  const targeting = createPersonTargeting({
    rules,
    persons: samples,
    cohorts,
    listHolding: dependencies.listHolding,
    compiler,
    clock,
  })
  const flagCohorts = createFlagCohorts({ flags, rules, persons: samples, cohorts, clock })
  const findOrganizationId = async (projectId: ProjectId): Promise<OrganizationId | null> =>
    (await dependencies.projects.findById(projectId))?.organizationId ?? null
  const copies = createFlagCopies({ flags: guardedFlags, store, cohorts, rules, findOrganizationId })
  const staleFlags = createStaleFlags({ store, calls, clock, logger })
  const readUsage = async (projectId: ProjectId) => {
    const project = await dependencies.projects.findById(projectId)
    return quota.usage({ projectId, settings: {}, ...project })
  }
  const changes = createFlagChangesSince(database.pool)
  const explainer = createFlagExplainer({
    rules,
    findFormerRules: createFormerRules({ source, changes, compiler }),
    formerPersons: createFormerPersons(dependencies.clickHouse ?? null),
    facts,
    clock,
  })
  const watch = (projectId: ProjectId) => watchRules(rules, projectId)
  const sweeps = createPeriodicTask(SWEEP_EVERY_MS, rules.publishOutbox)
  return {
    resolvers: [
      new FlagsResolver(guardedFlags, staleFlags, userLoader),
      new FlagActivityResolver(flags, dependencies.auditLog),
      new FlagChangesResolver(watch),
      new FlagInsightsResolver(explainer, staleFlags, readUsage),
      new FlagEvaluationsResolver(explainer, audience, flags, flagCohorts, userLoader),
      new FlagEdgesResolver(targeting, createCohortUses(store, cohorts), flags, audience),
      new DecideResolver(decisions.service, rateLimit),
      new FlagDefinitionsResolver(definitions),
      new FlagCopiesResolver(copies, findOrganizationId),
      new ScheduledChangesResolver(scheduled, userLoader),
      new ChangeRequestsResolver(createChangeRequests({ requests, flags, clock }), userLoader, flagKeyLoader),
    ],
    routes: [
      ...createDecideRoutes(decisions.service, rateLimit),
      ...createRemoteConfigRoutes(remoteConfig),
      ...createOfrepRoutes(decisions.service, rateLimit),
      ...createBrowserListRoutes(projects, rules),
    ],
    remoteConfig,
    flagStream: createFlagStreamEndpoint(projects, watch),
    findFlagsUsing: async (projectId, cohortId) =>
      findFlagsUsingCohort(await store.listAll(projectId), await cohorts.listAll(projectId), cohortId),
    rulesChanged: rules.changed,
    ruleFreshness: rules.freshness,
    dueChanges: createChangeMaker({
      due: createDueChangeStore(database.pool),
      repository: plans,
      flags,
      needsApproval,
      clock,
      logger,
    }),
    start: async () => {
      await projects.start()
      await rules.start()
      await rules.publishOutbox()
      await forgetter.start()
      decisions.start()
      sweeps.start()
    },
    stop: async () => {
      forgetter.stop()
      await sweeps.stop()
      await decisions.stop()
      await projects.settle()
      await rules.close()
      await cache.close()
    },
  }
}
