import { expect, test } from "@jest/globals"
import { StoredSignal } from "../../../../src/features/ingestion/stored-batches/stored-signal.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import { silentLogger } from "../../../../src/platform/logger/logger.js"
import { createOutageLog } from "../../../../src/platform/logger/outage-log.js"
import { createInProcessPubSub } from "../../../../src/platform/pubsub/in-process-pub-sub.js"

const [OURS, THEIRS] = [asProjectId(7), asProjectId(77)]
/** Lets a message of the pub/sub arrive. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

test("who watches a project hears that a batch with it is stored, until they leave", async () => {
  const pubSub = createInProcessPubSub(silentLogger)
  const outage = createOutageLog(silentLogger, "warn", "away", "back")
  const [web, ingest] = [new StoredSignal(pubSub, outage), new StoredSignal(pubSub, outage)]
  await web.start()
  const heard: string[] = []
  const leave = await web.onStored(OURS, () => heard.push("ours"))
  await web.onStored(THEIRS, () => heard.push("theirs"))
  ingest.announce(new Set([OURS]))
  await turn()
  expect(heard).toEqual(["ours"])
  await leave()
  ingest.announce(new Set([OURS, THEIRS]))
  await turn()
  expect(heard).toEqual(["ours", "theirs"])
  await web.stop()
})

test("a batch that cannot be announced disturbs nobody, and is logged once", async () => {
  const warned: string[] = []
  const logger = { ...silentLogger, warn: (text: string) => void warned.push(text) }
  const publish = async (): Promise<void> => {
    throw new Error("away")
  }
  const pubSub = { ...createInProcessPubSub(silentLogger), publish }
  const signal = new StoredSignal(pubSub, createOutageLog(logger, "warn", "away", "back"))
  for (let batch = 0; batch < 3; batch++) {
    signal.announce(new Set([OURS]))
    await turn()
  }
  expect(warned).toEqual(["away"])
})
