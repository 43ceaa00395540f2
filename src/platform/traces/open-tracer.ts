import { setTimeout as sleep } from "node:timers/promises"
import {
  type Context,
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Link,
  type Span as OpenSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api"
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks"
import { W3CTraceContextPropagator } from "@opentelemetry/core"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http"
import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources"
import { BatchSpanProcessor, type Sampler, TracerProvider } from "@opentelemetry/sdk-trace"
import { AppError } from "../../kernel/errors.js"
import {
  type Span,
  type SpanStart,
  type TraceHeaders,
  type TraceParent,
  type Tracer,
  UNRECORDED,
} from "../../kernel/trace.js"
import type { Logger } from "../logger/logger.js"
import { exportQuietly } from "./export-quietly.js"

export interface TracerOptions {
  readonly version: string
  readonly sampler: Sampler
  readonly logger: Logger
}

/** How long spans wait for others to be sent with them. */
const GATHERED_MS = 1_000
/** A collector that does not answer must not hold up the end of the process for longer. */
const LAST_SPANS_MS = 1_000

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const satisfies Record<NonNullable<SpanStart["kind"]>, SpanKind>

/**
 * Opens what sends spans to a collector, in batches and beside everything else. Where to, with which headers and how the
 * service is called is what OpenTelemetry's own variables say (`docs/operations.md#traces`); spans that cannot be sent are lost.
 */
export function openTracer({ version, sampler, logger }: TracerOptions) {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  const service = resourceFromAttributes({ "service.name": "waymark", "service.version": version })
  const exporter = exportQuietly(new OTLPTraceExporter(), logger)
  const provider = new TracerProvider({
    resource: service.merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    sampler,
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: GATHERED_MS })],
  })
  const spans = provider.getTracer("waymark", version)
  const run = <T>(start: SpanStart, parent: Context, links: Link[], work: (span: Span) => T): T => {
    const { name, kind = "internal", attributes } = start
    return spans.startActiveSpan(name, { kind: KINDS[kind], attributes, links }, parent, (open) => endAfter(open, work))
  }
  const tracer: Tracer = {
    begin: (start, headers, work) => run(start, toContext(headers), [], work),
    within: (start, work) => (findRecording() === null ? work(UNRECORDED) : run(start, context.active(), [], work)),
    continue: ([first, ...others], start, work) => {
      if (first === undefined) return context.with(ROOT_CONTEXT, work)
      const links = others.flatMap((other) => trace.getSpanContext(toContext({ traceparent: other })) ?? [])
      return run(start, toContext({ traceparent: first }), links.map(toLink), work)
    },
    current: () => (findRecording() === null ? null : toTraceParent(context.active())),
  }
  const close = async (): Promise<void> => {
    await Promise.race([provider.shutdown(), sleep(LAST_SPANS_MS, undefined, { ref: false })])
    context.disable()
  }
  return { tracer, close }
}

const propagator = new W3CTraceContextPropagator()

const toContext = (headers: TraceHeaders): Context => propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)

function toTraceParent(place: Context): TraceParent | null {
  const headers: { traceparent?: string } = {}
  propagator.inject(place, headers, defaultTextMapSetter)
  return headers.traceparent ?? null
}

const toLink = (linked: SpanContext): Link => ({ context: linked })

/** The present span. One that has ended is none: what began in a request and runs on is no part of it. */
function findRecording(): OpenSpan | null {
  const open = trace.getActiveSpan()
  return open?.isRecording() ? open : null
}

function endAfter<T>(open: OpenSpan, work: (span: Span) => T): T {
  const fail = (fault: unknown): void => {
    open.setStatus({ code: SpanStatusCode.ERROR })
    open.setAttribute("error.type", toErrorType(fault))
  }
  const endFailed = (fault: unknown): void => {
    fail(fault)
    open.end()
  }
  try {
    const result = work({
      rename: (name) => open.updateName(name),
      describe: (attributes) => open.setAttributes(attributes),
      fail,
    })
    if (result instanceof Promise) result.then(() => open.end(), endFailed)
    else open.end()
    return result
  } catch (fault) {
    endFailed(fault)
    throw fault
  }
}

/** Code of the fault, or of PostgreSQL or the system; else what kind of error it is. */
function toErrorType(fault: unknown): string {
  if (fault instanceof AppError) return fault.code
  if (!(fault instanceof Error)) return typeof fault
  return "code" in fault && typeof fault.code === "string" ? fault.code : fault.name
}
