const STORED_AS = "waymark.key"

/** The personal API key that this tab was given, empty when none. It is kept for the session of the tab only. */
export const readApiKey = (): string => sessionStorage.getItem(STORED_AS) ?? ""

/** Keeps a personal API key until the tab is closed. */
export const keepApiKey = (key: string): void => sessionStorage.setItem(STORED_AS, key)
