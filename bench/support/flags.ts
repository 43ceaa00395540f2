import { PERSONAL_KEY } from "./server.js"

/** Creates flags of the usual kinds in turn: plain rollout, person property, multivariate with payloads. */
export async function createFlags(url: string, howMany: number): Promise<void> {
  for (let index = 0; index < howMany; index++) {
    const response = await fetch(`${url}/api/projects/@current/feature_flags/`, {
      method: "POST",
      headers: { authorization: `Bearer ${PERSONAL_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ key: `bench-${index}`, active: true, filters: filtersOf(index) }),
    })
    if (!response.ok) throw new Error(`flag ${index} was refused: ${response.status} ${await response.text()}`)
  }
}

function filtersOf(index: number): object {
  const isTeam = { key: "plan", type: "person", operator: "exact", value: ["team", "business"] }
  switch (index % 3) {
    case 0:
      return { groups: [{ properties: [], rollout_percentage: (index * 7) % 100 }] }
    case 1:
      return {
        groups: [
          { properties: [isTeam], rollout_percentage: 100 },
          { properties: [], rollout_percentage: 10 },
        ],
      }
    default:
      return {
        groups: [{ properties: [isTeam], rollout_percentage: 80 }],
        multivariate: {
          variants: ["control", "short", "long"].map((key, at) => ({ key, rollout_percentage: [34, 33, 33][at] })),
        },
        payloads: { short: '{"steps":1}' },
      }
  }
}
