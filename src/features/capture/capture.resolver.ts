import { Arg, Args, Ctx, Mutation, Query, Resolver } from "type-graphql"
import type { Clock } from "../../kernel/clock.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { type Connection, ConnectionArgs, readConnection } from "../../platform/graphql/connection.js"
import { ProjectScope } from "../access/index.js"
import { CaptureBatchInput, type CapturedEventInput, CaptureInput, CaptureResultType } from "./capture.graphql.js"
import type { CaptureService } from "./capture.service.js"
import type { IngestionWarningCount, IngestionWarningHistory } from "./capture.types.js"
import { checkProjectKey } from "./project-key.js"
import { parseTime } from "./steps/parse-time.js"
import { IngestionWarningConnection } from "./warnings/ingestion-warnings.graphql.js"

@Resolver()
export class CaptureResolver {
  constructor(
    private readonly service: CaptureService,
    private readonly clock: Clock,
    private readonly warnings: IngestionWarningHistory,
  ) {}

  @Query(() => IngestionWarningConnection, {
    description: "What was dropped or changed in the last 30 days, newest first: by day, rule and event name.",
  })
  async ingestionWarnings(
    @ProjectScope("ingestion_warning:read") projectId: ProjectId,
    @Args(() => ConnectionArgs) paging: ConnectionArgs,
  ): Promise<Connection<IngestionWarningCount>> {
    return readConnection(paging, ["ingestion warnings", projectId], (page) => this.warnings.list(projectId, page))
  }

  @Mutation(() => CaptureResultType, { description: "Sends one event. It is on disk when this answers." })
  capture(
    @Ctx() context: RequestContext,
    @Arg("input", () => CaptureInput, { description: "The event." }) input: CaptureInput,
  ): Promise<CaptureResultType> {
    return this.send(context, { apiKey: input.apiKey, batch: [input], historicalMigration: false })
  }

  @Mutation(() => CaptureResultType, {
    description: "Sends events. Those that are accepted are on disk when this answers.",
  })
  captureBatch(
    @Ctx() context: RequestContext,
    @Arg("input", () => CaptureBatchInput, { description: "The events." }) input: CaptureBatchInput,
  ): Promise<CaptureResultType> {
    return this.send(context, input)
  }

  private send({ clientIp, senderIp }: RequestContext, input: CaptureBatchInput): Promise<CaptureResultType> {
    return this.service.capture({
      token: checkProjectKey(input.apiKey),
      items: input.batch.map(toItem),
      sentAtMs: parseTime(input.sentAt),
      historicalMigration: input.historicalMigration,
      clientIp,
      senderIp,
      receivedAtMs: this.clock.now(),
      defaultEventName: null,
    })
  }
}

const toItem = ({ event, distinctId, properties, timestamp, uuid }: CapturedEventInput): JsonObject => ({
  event,
  distinct_id: distinctId ?? null,
  properties: properties ?? null,
  timestamp: timestamp ?? null,
  uuid: uuid ?? null,
})
