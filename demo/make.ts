import type { DemoApi } from "./api.js"

interface Made {
  readonly made: { readonly record: { readonly shortId: string } | null; readonly userErrors: { message: string }[] }
}

/**
 * Gives the short id of what a mutation, under the name `made`, has made.
 * @throws Error with the messages when it was refused.
 */
export async function make(api: DemoApi, mutation: string, input: object): Promise<string> {
  const { made } = await api.graphql<Made>(mutation, { input })
  if (made.record === null) throw new Error(made.userErrors.map(({ message }) => message).join("; "))
  return made.record.shortId
}
