import { type DocumentNode, getOperationAST, Kind, parse } from "graphql"
import { Histogram, type Registry } from "prom-client"
import { beginTrace, inSpan } from "../../kernel/trace.js"
import { toOperationSpan } from "./operation-span.js"

/** How an operation came: over HTTP, over a WebSocket, or as a stream of server-sent events. */
export type OperationTransport = "http" | "websocket" | "sse"

/** An operation that passed the checks, and what it came to. */
export interface CountedOperation {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly transport: OperationTransport
  readonly hasErrors: boolean
  /** To the result; of a subscription, until it had begun. */
  readonly durationMs: number
}

/** Counts an operation. */
export type CountOperation = (operation: CountedOperation) => void

const BOUNDS_SECONDS = [0.005, 0.025, 0.1, 0.25, 1, 5, 30]

/**
 * Registers `waymark_graphql_operation_duration_seconds{operation, transport, outcome}`. An operation of the list of trusted
 * documents is named as it is there; any other by its kind and its first field, because a name that a caller chose would be a
 * label that a caller added (`docs/contract/faults.md#metric-labels`).
 * @param trusted texts of the trusted documents.
 */
export function createOperationMetrics(registry: Registry, trusted: readonly string[]): CountOperation {
  const durations = new Histogram({
    name: "waymark_graphql_operation_duration_seconds",
    help: "Time that a GraphQL operation took, by trusted name or first field, transport and outcome.",
    labelNames: ["operation", "transport", "outcome"],
    buckets: BOUNDS_SECONDS,
    registers: [registry],
  })
  const names = new Set(trusted.flatMap(toOperationNames))
  const labels = new WeakMap<DocumentNode, Map<string | null, string>>()
  const findLabel = (document: DocumentNode, operationName: string | null): string => {
    const ofDocument = labels.get(document) ?? new Map<string | null, string>()
    labels.set(document, ofDocument)
    const label = ofDocument.get(operationName) ?? toLabel(document, operationName, names)
    ofDocument.set(operationName, label)
    return label
  }
  return ({ document, operationName = null, transport, hasErrors, durationMs }) =>
    durations.observe(
      { operation: findLabel(document, operationName), transport, outcome: hasErrors ? "error" : "ok" },
      durationMs / 1_000,
    )
}

/**
 * Runs an operation of a socket or a stream as a span, and counts it; what it fails with counts as an error. A trace begins
 * with an operation of a socket, because its connection is open for hours; one of a stream belongs to its request.
 */
export async function runCounted<Result extends object>(
  count: CountOperation,
  operation: Pick<CountedOperation, "document" | "operationName" | "transport">,
  run: () => Promise<Result>,
): Promise<Result> {
  const startedAtMs = performance.now()
  const { document, operationName, transport } = operation
  const start = toOperationSpan(document, operationName, transport)
  let hasErrors = true
  try {
    const result = await (transport === "websocket" ? beginTrace(start, {}, run) : inSpan(start, run))
    hasErrors = "errors" in result && result.errors !== undefined
    return result
  } finally {
    count({ ...operation, hasErrors, durationMs: performance.now() - startedAtMs })
  }
}

const toOperationNames = (text: string): string[] =>
  parse(text).definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION && one.name !== undefined ? [one.name.value] : [],
  )

/** Such as `query.dashboards`: the document fits the schema, so its fields are a closed list. */
function toLabel(document: DocumentNode, operationName: string | null, names: ReadonlySet<string>): string {
  const operation = getOperationAST(document, operationName)
  if (operation == null) return "none"
  if (operation.name !== undefined && names.has(operation.name.value)) return operation.name.value
  const field = operation.selectionSet.selections.find((selection) => selection.kind === Kind.FIELD)
  return field === undefined ? operation.operation : `${operation.operation}.${field.name.value}`
}
