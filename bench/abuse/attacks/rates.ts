import { randomUUID } from "node:crypto"
import type { Attack } from "../attack.types.js"

const INTROSPECTION = `{ __schema { types { name description fields(includeDeprecated: true) { name description
  args { name description defaultValue type { name kind ofType { name kind ofType { name kind ofType { name } } } } }
  type { name kind ofType { name kind ofType { name kind ofType { name } } } } }
  inputFields { name type { name kind ofType { name kind } } } enumValues { name description } } } }`

/** Nothing but many requests. */
export const RATE_ATTACKS: readonly Attack[] = [
  {
    name: "wrong-personal-keys",
    needs: "nothing",
    what: "32 clients ask for projects, each time with another personal key that there is not.",
    run: (attacker, signal) =>
      attacker.repeat(32, signal, () =>
        attacker.send({ path: "/api/projects/", headers: { Authorization: `Bearer phx_${randomUUID()}` } }, signal),
      ),
  },
  {
    name: "wrong-project-keys",
    needs: "nothing",
    what: "32 clients capture and ask for decisions, each time with another project key that there is not.",
    run: (attacker, signal) =>
      attacker.repeat(32, signal, (index) =>
        attacker.send({
          path: index % 2 === 0 ? "/decide?v=3" : "/i/v0/e/",
          body: `{"api_key":"phc_${randomUUID()}","distinct_id":"a","event":"b"}`,
        }),
      ),
  },
  {
    name: "metrics",
    needs: "nothing",
    what: "16 clients read /metrics.",
    run: (attacker, signal) => attacker.repeat(16, signal, () => attacker.send({ path: "/metrics" }, signal)),
  },
  {
    name: "readiness",
    needs: "nothing",
    what: "16 clients read /_readyz.",
    run: (attacker, signal) => attacker.repeat(16, signal, () => attacker.send({ path: "/_readyz" }, signal)),
  },
  {
    name: "introspection",
    needs: "nothing",
    what: "16 clients ask GraphQL for its whole schema.",
    run: (attacker, signal) => {
      const body = JSON.stringify({ query: INTROSPECTION })
      return attacker.repeat(16, signal, () => attacker.send({ path: "/graphql", body }, signal))
    },
  },
  {
    name: "decisions",
    needs: "project key",
    what: "64 clients ask for decisions as fast as they are answered.",
    run: (attacker, signal) => {
      const body = JSON.stringify({ api_key: attacker.tenant.projectKey, distinct_id: "a" })
      return attacker.repeat(64, signal, () => attacker.send({ path: "/decide?v=3", body }, signal))
    },
  },
]
