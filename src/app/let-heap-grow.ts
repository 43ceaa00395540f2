import { setFlagsFromString } from "node:v8"

/** V8 collects the whole heap when it is two and a half times what lived after the last such collection. */
const GROWING_PERCENT = 150

/**
 * Gives V8 a fixed factor to let the heap grow by. By itself it takes one between 1.1 and 4, by how quick its last collections
 * were, and the bodies of requests count although they are gone with the next scavenge: in one start of four, and in any after
 * a busy minute, it then collected the whole heap six times a second, at 70 % more processor time a batch and five times the
 * p99 (decision 0035). Before the first request is answered; later it counts from the next collection on.
 */
export function letHeapGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`)
}
