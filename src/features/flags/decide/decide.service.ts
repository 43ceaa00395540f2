import { type CompiledRules, evaluateFlags, type FlagResult, selectFlags } from "../../../flag-engine/index.js"
import { type Awaitable, andThen } from "../../../kernel/awaitable.js"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import { isUuid } from "../../../kernel/ids.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import type { RequestHeaders } from "../../../kernel/request-headers.js"
import { noteProject } from "../../../kernel/request-note.js"
import { inSpan } from "../../../kernel/trace.js"
import type { ProjectVisit } from "../../cookieless/index.js"
import type { DecideProject, FlagQuota } from "../flags.types.js"
import type { FlagRateLimit } from "../limits/flag-rate-limit.service.js"
import { type Decision, presentDecision, presentWithoutEvaluation } from "../present/decide-response.js"
import { type DecidePath, readResponseShape } from "../present/response-version.js"
import type { KnownProjects } from "../projects/known-projects.store.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"
import { readCallerVisit } from "./caller-visit.js"
import { type DecideRequest, readDecideRequest, requireDistinctId } from "./decide-request.js"
import type { FactSources } from "./fact-sources.types.js"
import { gatherFacts } from "./gather-facts.js"
import { type Location, withGeoIp } from "./geo-ip-properties.js"

/** A decision request as the wire hands it over. */
export interface DecideInput {
  /** Which endpoint was called; it selects the response format. */
  readonly path: DecidePath
  readonly query: Readonly<Record<string, unknown>>
  /** Decoded and parsed body; undefined when there was none. */
  readonly body: Json | undefined
  /** Names in lower case. */
  readonly headers: RequestHeaders
  /** Address the GeoIP properties are derived from. */
  readonly clientIp: string
  /** The address that limits count by. */
  readonly senderIp: string
  /** Shown as `requestId`; a new UUID is made when it is none. */
  readonly requestId: string
}

export interface DecideService {
  /**
   * Decides the flags of one caller.
   * @throws AppError as `decide`.
   */
  evaluate(input: DecideInput): Awaitable<Decision>
  /**
   * Decides the flags of one caller and answers the body of the response as JSON text.
   * @throws AppError flag_rate_limited, rate_limited, malformed_data, no_project_key, invalid_project_key, missing_distinct_id;
   * store_unavailable when it cannot be told whether the key exists.
   */
  decide(input: DecideInput): Awaitable<string>
  /** The answer to a GET: configuration of the service, nothing evaluated, no key needed. */
  answerWithoutEvaluation(input: Pick<DecideInput, "path" | "query" | "requestId">): JsonObject
}

export interface DecideDependencies {
  readonly projects: Pick<KnownProjects, "findByKey">
  readonly rules: Pick<FlagRulesService, "rulesFor">
  readonly facts: FactSources
  readonly quota: FlagQuota
  readonly rateLimit: FlagRateLimit
  /** The distinct id of a visitor without cookies, as events of the visit have it. */
  readonly toVisitorId: (visit: ProjectVisit) => Promise<string>
  readonly geoIp: { lookUp(ipAddress: string): Location | null }
  readonly clock: Clock
  readonly newUuid: () => string
}

interface Evaluated {
  readonly results: readonly FlagResult[]
  readonly hasErrors: boolean
}

/** Flags that the product itself needs are not counted (`docs/contract/flags.md#flag-quota`). */
const FREE_FLAG = /^(?:survey|product-tour)-targeting-/

const NOTHING: Evaluated = { results: [], hasErrors: false }
/** Answered when the rules of a project cannot be read. */
const NO_RULES: Evaluated = { results: [], hasErrors: true }

/** Makes the decision use case: order of checks as `docs/contract/flags.md#decision-errors`. */
export function createDecideService(dependencies: DecideDependencies): DecideService {
  const { projects, rules, facts, quota, rateLimit, toVisitorId, geoIp, clock, newUuid } = dependencies

  /** Whom flags are decided for; null for a visitor without cookies who cannot be told in time. */
  const callerIdOf = (project: DecideProject, distinctId: string, input: DecideInput): Awaitable<string | null> => {
    const visit = readCallerVisit(project, distinctId, input, clock.now())
    if (visit === null) return distinctId
    return facts.reader.read(() => toVisitorId(visit)).then((found) => (found.ok ? found.value : null))
  }

  const evaluateFor = (
    compiled: CompiledRules,
    project: DecideProject,
    request: DecideRequest,
    input: DecideInput,
  ): Awaitable<Evaluated> => {
    const onlySurveyFlags = isOn(input.query.only_evaluate_survey_feature_flags)
    const { flags, needs, hasCycle } = selectFlags(compiled, { ...request, onlySurveyFlags })
    if (flags.length === 0) return NOTHING
    const location = needs.geoIp && !request.geoIpDisabled ? geoIp.lookUp(input.clientIp) : null
    const personOverrides = withGeoIp(request.personProperties, location)
    const usesOnlyOverrides = isOn(input.query.only_use_override_person_properties)
    const { projectId } = project
    const sentId = requireDistinctId(request)
    return andThen(callerIdOf(project, sentId, input), (callerId) => {
      const caller = { projectId, distinctId: callerId ?? sentId, request, personOverrides, usesOnlyOverrides }
      return andThen(gatherFacts(facts, compiled, needs, caller, clock.now()), (known) => {
        const results = evaluateFlags(compiled, flags, known)
        const hasErrors = hasCycle || callerId === null || results.some((result) => result.error !== null)
        return { results, hasErrors }
      })
    })
  }

  const evaluateIn = (project: DecideProject, request: DecideRequest, input: DecideInput): Awaitable<Decision> => {
    const { projectId } = project
    if (!request.disableFlags) requireDistinctId(request)
    const isQuotaExceeded = !request.disableFlags && quota.isExceeded(project)
    const isPaused = request.disableFlags || isQuotaExceeded
    const evaluated = isPaused
      ? NOTHING
      : andThen(rules.rulesFor(projectId), (compiled: CompiledRules | null) =>
          compiled === null ? NO_RULES : evaluateFor(compiled, project, request, input),
        )
    return andThen(evaluated, ({ results, hasErrors }) => {
      if (results.some(({ key }) => !FREE_FLAG.test(key))) quota.count(project, 1)
      const requestId = isUuid(input.requestId) ? input.requestId : newUuid()
      return { project, results, hasErrors, isQuotaExceeded, requestId, evaluatedAtMs: clock.now() }
    })
  }

  const evaluate = (input: DecideInput): Awaitable<Decision> => {
    const request = readDecideRequest(input.body, input.headers)
    rateLimit.take("key", request.token)
    return andThen(projects.findByKey(request.token, input.senderIp), (project) => {
      if (project !== null) {
        noteProject(project.projectId)
        return evaluateIn(project, request, input)
      }
      throw new AppError("invalid_project_key", { attr: "api_key", ...wrongKeyHint(request.token) })
    })
  }

  return {
    evaluate,
    decide: (input) =>
      andThen(
        inSpan({ name: "decide flags" }, () => evaluate(input)),
        (decision) => presentDecision(decision, readResponseShape(input.path, input.query)),
      ),

    answerWithoutEvaluation: ({ path, query, requestId }) => {
      const { format } = readResponseShape(path, query)
      const id = isUuid(requestId) ? requestId : newUuid()
      return presentWithoutEvaluation(format, id, clock.now())
    },
  }
}

/** Names the kind of key that was sent by mistake; the usual one is a personal key. */
function wrongKeyHint(token: string): { detail?: string } {
  if (!token.startsWith("phx_")) return {}
  return {
    detail: "This is a personal API key (phx_). Flags are decided with the project API key, which begins with phc_.",
  }
}

const isOn = (value: unknown): boolean => value !== undefined && !/^(?:false|0|no|off)$/i.test(String(value))
