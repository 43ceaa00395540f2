/** What the server tells the child over the IPC channel, once, right after starting it. */
export interface OpenMessage {
  readonly type: "open"
  /** Absolute path; nobody else may have it open. */
  readonly dataDirectory: string
  /** Loopback port to listen on; 0 lets the operating system choose. Another one is taken when this one is in use. */
  readonly port: number
  /** Password of the user `default`. */
  readonly password: string
  /** Milliseconds after which a query that was stopped and goes on makes the engine end, to be started anew. */
  readonly stuckAfterMs: number
}

/** The child's one answer. */
export type ChildMessage =
  /** `repairedInserts` counts insert tokens without rows that a crash had left. */
  | { readonly type: "listening"; readonly port: number; readonly repairedInserts: number }
  | { readonly type: "failed"; readonly message: string }

/** The database that requests without one use. The engine's own `default` database reads any file of the machine. */
export const EMBEDDED_DATABASE = "waymark"
