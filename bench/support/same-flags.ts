/** The two plans that flags of the comparison ask for. */
export const PLANS = ["team", "business"] as const

/** One flag in words that both products have: any strategy that lets the user in turns it on. */
export interface SameFlag {
  readonly key: string
  readonly strategies: readonly Strategy[]
}

interface Strategy {
  readonly percentage: number
  /** Only for users of one of `PLANS`. */
  readonly forPlans: boolean
  readonly variants: readonly { readonly key: string; readonly percentage: number; readonly payload?: string }[]
}

/** Flags of the usual kinds in turn: plain rollout, property or rollout, multivariate with a payload. */
export const sameFlags = (howMany: number): SameFlag[] =>
  Array.from({ length: howMany }, (_unused, index) => ({ key: `same-${index}`, strategies: strategiesOf(index) }))

function strategiesOf(index: number): Strategy[] {
  const plain = { forPlans: false, variants: [] }
  switch (index % 3) {
    case 0:
      return [{ ...plain, percentage: 2 + ((index * 7) % 98) }]
    case 1:
      return [
        { ...plain, percentage: 100, forPlans: true },
        { ...plain, percentage: 10 },
      ]
    default:
      return [
        {
          percentage: 80,
          forPlans: true,
          variants: [
            { key: "control", percentage: 34 },
            { key: "short", percentage: 33, payload: '{"steps":1}' },
            { key: "long", percentage: 33 },
          ],
        },
      ]
  }
}

/** The same flag as Waymark stores it. */
export function toWaymarkFilters({ strategies }: SameFlag): object {
  const variants = strategies.flatMap((strategy) => strategy.variants)
  return {
    groups: strategies.map(({ percentage, forPlans }) => ({
      properties: forPlans ? [{ key: "plan", type: "person", operator: "exact", value: [...PLANS] }] : [],
      rollout_percentage: percentage,
    })),
    multivariate: { variants: variants.map(({ key, percentage }) => ({ key, rollout_percentage: percentage })) },
    payloads: Object.fromEntries(
      variants.flatMap(({ key, payload }) => (payload === undefined ? [] : [[key, payload]])),
    ),
  }
}
