import { describe, expect, test } from "@jest/globals"
import type { Json } from "../../../src/kernel/json.js"
import { listFieldNames, nameIgnoredFields } from "../../../src/transport/rest/ignored-fields.js"

describe("fields of a body that count for nothing", () => {
  test("are named in the order in which they were sent", () => {
    expect(nameIgnoredFields({ nmae: "x", name: "y", colour: 1 }, ["name"])).toBe("nmae, colour")
  })

  test.each<Json | undefined>([
    undefined,
    null,
    [],
    ["nmae"],
    "nmae",
    {},
    { name: "x" },
    { personal_api_key: "phx_1" },
  ])("are none in %j", (body) => {
    expect(nameIgnoredFields(body, ["name"])).toBeNull()
  })

  test("are written so that a header can hold them, whatever they are called", () => {
    const names = nameIgnoredFields({ "a,b\r\nSet-Cookie: x": 1, "ż\ud800": 1, __proto__: null }, [])
    expect(names).toBe("a%2Cb%0D%0ASet-Cookie%3A%20x, %C5%BC%EF%BF%BD")
  })

  test("are not all named when there are many, nor at any length", () => {
    const names = nameIgnoredFields(
      Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}x`.repeat(99), 1])),
      [],
    )
    expect(names?.split(", ")).toHaveLength(21)
    expect(names?.endsWith(", ...")).toBe(true)
    expect(names?.length).toBeLessThan(2_200)
  })

  test("are those that are in none of a row's schemas", () => {
    expect(listFieldNames({ properties: { a: {}, b: {} } }, undefined, {})).toEqual(["a", "b"])
  })
})
