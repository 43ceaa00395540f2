import type { Readable } from "node:stream"

/** Why something could not be written, in words for those who made the export. Holds no secret. */
export class TargetFault extends Error {}

/** Where an export writes files. Methods throw TargetFault; any other failure is a defect. */
export interface OpenTarget {
  /** Writes a small file, to see whether that can be done. */
  check(): Promise<void>
  /**
   * Writes a file under a path with slashes, whole or not at all, in place of one that is there.
   * @returns how many bytes it has.
   */
  write(path: string, content: Readable, signal: AbortSignal): Promise<number>
}
