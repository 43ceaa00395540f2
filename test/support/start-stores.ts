/** Placeholder until the embedded stores are there: see stop-stores. */
export default async function startStores(): Promise<void> {}
