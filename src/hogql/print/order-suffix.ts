/** What stands behind an expression of ORDER BY, in HogQL and in SQL alike. */
export function orderSuffix(item: { readonly descending: boolean; readonly nulls: "first" | "last" | null }): string {
  const direction = item.descending ? " DESC" : " ASC"
  return item.nulls === null ? direction : `${direction} NULLS ${item.nulls.toUpperCase()}`
}
