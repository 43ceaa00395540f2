import { expect, test } from "@jest/globals"
import { createLogger } from "../../../src/platform/logger/logger.js"
import { createOutageLog } from "../../../src/platform/logger/outage-log.js"

test("an outage is one line when it begins and one when it is over, however much fails meanwhile", () => {
  const lines: string[] = []
  const logger = createLogger({ level: "info", destination: { write: (line) => lines.push(line) } })
  const outage = createOutageLog(logger, "error", "away", "back")
  outage.worked()
  for (let time = 0; time < 1_000; time++) outage.failed(new Error(`failure ${time}`))
  outage.worked()
  outage.worked()
  outage.failed(new Error("again"))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "error", msg: "away", err: { message: "failure 0" } },
    { level: "info", msg: "back", failures: 1_000 },
    { level: "error", msg: "away", err: { message: "again" } },
  ])
})
