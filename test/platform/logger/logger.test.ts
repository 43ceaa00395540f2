import { describe, expect, test } from "@jest/globals"
import { createLogger, type LogLevel } from "../../../src/platform/logger/logger.js"

function capture(level: LogLevel) {
  const lines: string[] = []
  const logger = createLogger({ level, destination: { write: (line) => lines.push(line) } })
  return { logger, read: (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line)) }
}

describe("the logger", () => {
  test("writes one JSON object per line with level, time, message and fields", () => {
    const { logger, read } = capture("info")
    logger.info("listening", { port: 8000 })
    expect(read()).toEqual([{ level: "info", time: expect.any(String), msg: "listening", port: 8000 }])
  })

  test("leaves out what lies below its level", () => {
    const { logger, read } = capture("warn")
    logger.debug("a")
    logger.info("b")
    logger.warn("c")
    logger.error("d")
    expect(read().map(({ msg }) => msg)).toEqual(["c", "d"])
  })

  test("gives the fields of a child to each of its lines", () => {
    const { logger, read } = capture("info")
    logger.child({ child: "postgres" }).child({ attempt: 2 }).warn("died")
    expect(read()).toMatchObject([{ child: "postgres", attempt: 2, msg: "died" }])
  })

  test("never writes what a driver has hung on an error, such as its client and password", () => {
    const { logger, read } = capture("info")
    logger.warn("lost", { err: Object.assign(new Error("gone"), { code: "57P01", client: { password: "hunter2" } }) })
    expect(JSON.stringify(read())).not.toContain("hunter2")
    expect(read()).toMatchObject([{ err: { message: "gone", code: "57P01" } }])
  })

  test("writes each of the errors that one stands for", () => {
    const { logger, read } = capture("info")
    logger.error("failed", { err: new AggregateError([new Error("first address"), new Error("second")]) })
    expect(read()).toMatchObject([{ err: { errors: [{ message: "first address" }, { message: "second" }] } }])
  })

  test("writes an error with its message, stack and cause", () => {
    const { logger, read } = capture("info")
    logger.error("failed", { err: new Error("outer", { cause: new Error("inner") }) })
    expect(read()).toMatchObject([
      { err: { message: "outer", stack: expect.any(String), cause: { message: "inner", stack: expect.any(String) } } },
    ])
  })
})
