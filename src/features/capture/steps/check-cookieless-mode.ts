import type { Step } from "./event-draft.js"

/** `$cookieless_mode` decides what the distinct id means, so anything but a boolean makes the event unusable. */
export const checkCookielessMode: Step = ({ properties }) => {
  const mode = properties.$cookieless_mode ?? null
  return mode === null || typeof mode === "boolean" ? null : "invalid_cookieless_mode"
}
