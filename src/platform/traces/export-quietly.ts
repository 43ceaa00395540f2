import { ExportResultCode } from "@opentelemetry/core"
import type { SpanExporter } from "@opentelemetry/sdk-trace"
import type { Logger } from "../logger/logger.js"
import { createOutageLog } from "../logger/outage-log.js"

/** An exporter that logs the beginning and the end of an outage, and tells nobody else: spans that fail to leave are lost. */
export function exportQuietly(exporter: SpanExporter, logger: Logger): SpanExporter {
  const outage = createOutageLog(logger, "warn", "traces cannot be exported and are lost", "traces are exported again")
  return {
    export: (spans, done) =>
      exporter.export(spans, ({ code, error }) => {
        if (code === ExportResultCode.SUCCESS) outage.worked()
        else outage.failed(error)
        done({ code: ExportResultCode.SUCCESS })
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
