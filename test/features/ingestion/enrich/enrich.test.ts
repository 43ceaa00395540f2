import { describe, expect, test } from "@jest/globals"
import { enrich } from "../../../../src/features/ingestion/enrich/index.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"

const enriched = (properties: JsonObject, historicalMigration = false) =>
  enrich(
    {
      projectId: asProjectId(1),
      uuid: "0198f7c0-0000-7000-8000-000000000001",
      event: "$autocapture",
      distinctId: "user",
      properties,
      timestamp: "2025-06-01T12:00:00.000Z",
      clientTimestamp: null,
      receivedAtMs: 0,
      clientIp: "203.0.113.7",
      historicalMigration,
    },
    null,
  )

describe("enrichment", () => {
  test("adds the client's address, unless the client wrote one", () => {
    expect(enriched({}).properties).toEqual({ $ip: "203.0.113.7" })
    expect(enriched({ $ip: null }).properties).toEqual({ $ip: null })
  })

  test("gives an event of the past no address of whoever sends it", () => {
    expect(enriched({}, true).properties).toEqual({})
    expect(enriched({ $ip: "192.0.2.1" }, true).properties).toEqual({ $ip: "192.0.2.1" })
  })

  test("moves a chain of elements out of the properties as it is", () => {
    const { properties, elementsChain } = enriched({ $elements_chain: 'a:href="/"', $elements: [{}] })
    expect(elementsChain).toBe('a:href="/"')
    expect(properties).toEqual({ $ip: "203.0.113.7" })
  })

  test("writes a list of elements as a chain, classes and attributes in order", () => {
    const { elementsChain } = enriched({
      $elements: [
        {
          tag_name: "a",
          attr__class: "small btn",
          $el_text: 'Say "hi"',
          nth_child: 2,
          nth_of_type: 1,
          attr__href: "/x",
        },
        { tag_name: "body", nth_child: 1 },
      ],
    })
    expect(elementsChain).toBe(
      'a.btn.small:attr__class="small btn"attr__href="/x"href="/x"nth-child="2"nth-of-type="1"text="Say \\"hi\\""' +
        ';body:nth-child="1"nth-of-type="0"',
    )
  })
})
