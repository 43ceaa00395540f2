import { openTracer } from "../platform/traces/open-tracer.js"

export const breach = openTracer
