/** What secrets of buckets are encrypted for: one is of no use in another project's rows. */
export const toPurpose = (projectId: number): string => `secret of an export of project ${projectId}`
