import { Client, fetchExchange } from "@urql/core"
import { cacheExchange } from "@urql/exchange-graphcache"

/** @param url of the server, such as http://127.0.0.1:8000. */
export const createUrql = (url: string, key: string): Client =>
  new Client({
    url: `${url}/graphql`,
    preferGetMethod: false,
    exchanges: [cacheExchange({}), fetchExchange],
    fetchOptions: { headers: { Authorization: `Bearer ${key}` } },
  })
