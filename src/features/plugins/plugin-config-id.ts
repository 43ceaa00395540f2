const MAX_ID = 2 ** 31 - 1

/** The id that a text names; null for one that can be no configuration's. */
export function toPluginConfigId(text: string): number | null {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
  return id >= 1 && id <= MAX_ID ? id : null
}
