/** A place in a trace, as the header `traceparent` of W3C Trace Context has it. */
export type TraceParent = string

/** What a span says of its work; never a value of a user. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** What a span begins with. */
export interface SpanStart {
  readonly name: string
  /** `server` answers a request, `client` asks a store, `consumer` goes on with what was handed over; `internal` when absent. */
  readonly kind?: "server" | "client" | "consumer" | "internal"
  readonly attributes?: SpanAttributes
}

/** A span whose work is under way. */
export interface Span {
  rename(name: string): void
  describe(attributes: SpanAttributes): void
  /** Says that the work failed, and with what kind of fault: its message may hold values. */
  fail(fault: unknown): void
}

/** Something that was handed over, with the place in a trace that it comes from; none for what nobody traces. */
export interface Traced {
  readonly trace?: TraceParent | null
}

/** Headers that say which trace a request belongs to. */
export type TraceHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Makes spans. A span ends when its work returns or, if that is a promise, when the promise settles. */
export interface Tracer {
  begin<T>(start: SpanStart, headers: TraceHeaders, work: (span: Span) => T): T
  within<T>(start: SpanStart, work: (span: Span) => T): T
  continue<T>(traces: readonly TraceParent[], start: SpanStart, work: () => T): T
  current(): TraceParent | null
}

/** Stands for a span that nobody records. */
export const UNRECORDED: Span = { rename: () => undefined, describe: () => undefined, fail: () => undefined }

let tracer: Tracer | null = null

/** Has spans made by this tracer from now on; by none after null, as before. */
export function setTracer(wanted: Tracer | null): void {
  tracer = wanted
}

/** Whether anybody makes spans. */
export const isTracing = (): boolean => tracer !== null

/** Does work as the first span of a trace, or as a part of the one that the headers of a request name. */
export const beginTrace = <T>(start: SpanStart, headers: TraceHeaders, work: (span: Span) => T): T =>
  tracer === null ? work(UNRECORDED) : tracer.begin(start, headers, work)

/** Does work as a span within the present one; without a span where there is none, or none that has not ended. */
export const inSpan = <T>(start: SpanStart, work: (span: Span) => T): T =>
  tracer === null ? work(UNRECORDED) : tracer.within(start, work)

/**
 * Does work for several things together that were handed over: a span in the trace of the first that is traced, with links to
 * those of the others. Outside of every trace when none is.
 */
export const continueTraces = <T>(handedOver: readonly Traced[], start: SpanStart, work: () => T): T =>
  tracer === null
    ? work()
    : tracer.continue(
        handedOver.flatMap(({ trace }) => trace ?? []),
        start,
        work,
      )

/** The present place, to be handed over together with work; null where nothing is recorded. */
export const currentTrace = (): TraceParent | null => tracer?.current() ?? null
