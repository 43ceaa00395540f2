/** A text that two expressions (or queries, of HogQL or SQL) share exactly when they say the same, wherever they stand. */
export const sameText = (node: object): string =>
  JSON.stringify(node, (key, value) => (key === "at" ? undefined : typeof value === "bigint" ? `${value}n` : value))
