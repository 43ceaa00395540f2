/** Acceptance cases that a decision overrules, with that decision. */
export const OVERRULED: ReadonlyMap<string, string> = new Map()
