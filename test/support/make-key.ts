import type { WaymarkApi } from "./waymark-api.js"

/** What a key is called, and bound to. */
interface KeyBounds {
  readonly label?: string
  readonly projectIds?: readonly number[] | null
  readonly organizationIds?: readonly string[] | null
}

/** Names that the graph has for scopes: `FEATURE_FLAG_READ` for `feature_flag:read`, `ALL` for `*`. */
export const toScopeNames = (scopes: readonly string[]): string[] =>
  scopes.map((scope) => (scope === "*" ? "ALL" : scope.toUpperCase().replace(":", "_")))

/** Makes another key of the caller's user. */
export async function makeKey(
  caller: WaymarkApi,
  scopes: readonly string[],
  bounds: KeyBounds = {},
): Promise<{ readonly id: string; readonly value: string }> {
  const { key } = await caller.changed<{ key: { id: string; value: string } }>(
    `mutation ($label: String!, $scopes: [Scope!]!, $projectIds: [ID!], $organizationIds: [ID!]) {
      key: createPersonalApiKey(input: {
        label: $label, scopes: $scopes, projectIds: $projectIds, organizationIds: $organizationIds
      }) {
        personalApiKey { id: uuid value } userErrors { message } } }`,
    { label: "key", ...bounds, scopes: toScopeNames(scopes) },
  )
  return key
}
