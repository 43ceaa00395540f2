/** How every project key begins. */
export const PROJECT_TOKEN_PREFIX = "phc_"

/**
 * Checked before any look-up, so that a huge or odd token costs nothing
 * (`docs/contract/faults.md#keys-of-unlikely-form`). Real ones have 47 characters.
 */
const PROJECT_TOKEN = /^phc_[\w-]{1,128}$/

/** Whether a text has the shape of a project key; anything else is unknown without asking the store. */
export const isProjectToken = (text: string): boolean => PROJECT_TOKEN.test(text)
