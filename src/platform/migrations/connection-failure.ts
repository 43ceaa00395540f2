/**
 * What a failed connection says of itself, for operators. A host with several addresses fails with a list and no
 * message of its own.
 */
export function describeConnectionFailure(error: unknown): string {
  const { errors, message } = error as { errors?: unknown[]; message?: string }
  return Array.isArray(errors) ? errors.map(describeConnectionFailure).join("; ") : String(message)
}
