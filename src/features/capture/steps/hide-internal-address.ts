import type { Step } from "./event-draft.js"

/** Events that a client marks with `capture_internal` come from the service itself; they are not given our address. */
export const hideInternalAddress: Step = (draft) => {
  const { capture_internal: internal, $ip: address } = draft.properties
  if (internal !== undefined && address === undefined) draft.properties = { ...draft.properties, $ip: "127.0.0.1" }
  return null
}
