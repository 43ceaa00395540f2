import { makeKey } from "./make-key.js"
import { WaymarkApi } from "./waymark-api.js"

/** The five callers that every operation on a project has to tell apart. */
export interface Callers {
  readonly nobody: WaymarkApi
  readonly withUnknownKey: WaymarkApi
  readonly withoutScope: WaymarkApi
  /** Holds the scopes, but in another organization's project. */
  readonly ofAnotherProject: WaymarkApi
  readonly permitted: WaymarkApi
}

/** Makes keys for the callers; `scopes` is what the permitted one gets. `otherProjectId` is where the stranger is let in. */
export async function createCallers(
  owner: WaymarkApi,
  scopes: readonly string[],
  otherProjectId: number,
): Promise<Callers> {
  const keyWith = async (granted: readonly string[], projectIds: readonly number[] | null): Promise<WaymarkApi> =>
    new WaymarkApi(owner.url, (await makeKey(owner, granted, { projectIds })).value)
  return {
    nobody: new WaymarkApi(owner.url, null),
    withUnknownKey: new WaymarkApi(owner.url, "phx_unknown"),
    withoutScope: await keyWith(["annotation:read"], null),
    ofAnotherProject: await keyWith(scopes, [otherProjectId]),
    permitted: await keyWith(scopes, null),
  }
}
