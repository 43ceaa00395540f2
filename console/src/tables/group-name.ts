/** What a group is called: its property `name`, or its key. */
export function toGroupName({ key, properties }: { readonly key: string; readonly properties: unknown }): string {
  const named = typeof properties === "object" && properties !== null && "name" in properties ? properties.name : null
  return typeof named === "string" && named !== "" ? named : key
}
