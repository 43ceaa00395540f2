import type { Expression } from "./nodes.js"

/** A text that two expressions share exactly when they say the same, wherever they stand. */
export const sameText = (node: Expression): string =>
  JSON.stringify(node, (key, value) => (key === "at" ? undefined : typeof value === "bigint" ? `${value}n` : value))
