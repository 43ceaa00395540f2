import type { Answer, WaymarkApi } from "../waymark-api.js"
import type { RecordIds } from "./planted-records.js"

/** How an operation ended, whatever the protocol. */
export interface Outcome {
  /** Null when it was let in and did what it should. */
  readonly fault: { readonly status: number; readonly code: string; readonly detail: string } | null
  /** All that the caller got to read. */
  readonly text: string
}

/** One operation of REST or GraphQL with what it demands of its callers. */
export interface MatrixRow {
  readonly name: string
  /** Null when every valid key will do. */
  readonly scope: string | null
  readonly isOfProject: boolean
  readonly isOfOrganization: boolean
  /** Of one that is of no project: whether keys bound to projects are let in. */
  readonly isOpenToBoundKeys: boolean
  readonly isWriting: boolean
  ask(caller: WaymarkApi, project: number, ids: RecordIds): Promise<Outcome>
}

/** How a REST request ended. */
export function toOutcome({ status, body }: Answer): Outcome {
  const fault = body as { readonly code?: string; readonly detail?: string } | null
  return {
    fault: status < 400 ? null : { status, code: String(fault?.code), detail: String(fault?.detail) },
    text: JSON.stringify(body),
  }
}
