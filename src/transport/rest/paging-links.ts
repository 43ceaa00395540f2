import type { OffsetWindow } from "../../kernel/paging.js"
import type { RestRequest } from "./rest-route.types.js"

/** The answer of every list path. */
export interface Envelope<Item> {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Item[]
}

/** Shapes one page of a list with links to its neighbours. */
export function toEnvelope<Item>(
  request: Pick<RestRequest, "baseUrl" | "path" | "query">,
  window: OffsetWindow,
  count: number,
  results: readonly Item[],
): Envelope<Item> {
  return { count, ...pagingLinks(request, window, count), results }
}

/**
 * Absolute addresses of the next and the previous page: the request's own with `limit` and `offset` replaced and all
 * other parameters kept. At the first page there is no previous one; a previous page that begins at 0 has no `offset`
 * (`docs/contract/management.md#paging`).
 * @param shown how many rows the page has, where that may be fewer than asked for.
 */
export function pagingLinks(
  { baseUrl, path, query }: Pick<RestRequest, "baseUrl" | "path" | "query">,
  { limit, offset }: OffsetWindow,
  count: number,
  shown = limit,
): { readonly next: string | null; readonly previous: string | null } {
  const linkTo = (start: number): string => {
    const parameters = new URLSearchParams(query)
    parameters.set("limit", String(limit))
    if (start > 0) parameters.set("offset", String(start))
    else parameters.delete("offset")
    return `${baseUrl}${path}?${parameters}`
  }
  return {
    next: offset + shown < count ? linkTo(offset + shown) : null,
    previous: offset > 0 ? linkTo(offset - limit) : null,
  }
}
