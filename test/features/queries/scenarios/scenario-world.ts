import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { ActionDefinition, CohortDefinition } from "../../../../src/hogql/index.js"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { KindEngine, type KindQuery, type RunOptions, type TestEvent, uuidOf } from "../kinds/kind-engine.js"

/** A question about a world's events, and what is to be shown of the answer. */
export type Scenario = readonly [name: string, query: JsonObject, expected: unknown]

/** What all scenarios of a group have in common. */
export interface Setting<Results> {
  readonly events: readonly TestEvent[]
  /** Properties of persons by actor; every actor of the events is a person, born with the first of them. */
  readonly persons?: Readonly<Record<string, JsonObject>>
  /** Recordings of sessions, whose ids are made of their names: how many seconds, and how many clicks. */
  readonly recordings?: readonly (readonly [session: string, seconds: number, clicks: number])[]
  readonly query: KindQuery
  /** What a scenario compares of the results. */
  readonly show: (results: Results) => unknown
  readonly options?: Omit<RunOptions, "projectId">
}

/**
 * Scenarios of one test file over one engine. Each group of them has a project of its own, so that its events are seen
 * by no other, and all events are stored at once.
 */
export class ScenarioWorld {
  private readonly engine = new KindEngine()
  private readonly groups: (() => void)[] = []

  constructor(actions: readonly ActionDefinition[] = [], cohorts: readonly CohortDefinition[] = []) {
    const spares = new Map(["n", "plan", "seats", "tags", "when"].map((name, index) => [name, index + 1]))
    this.engine.schema = {
      ...this.engine.schema,
      spares,
      actions: new Map(actions.map((action) => [action.id, action])),
      cohortsById: new Map(cohorts.map((cohort) => [cohort.id, cohort])),
    }
    beforeAll(() => {
      for (const store of this.groups) store()
    })
    afterAll(() => this.engine.close())
  }

  /** Tests that each scenario's query, added to that of the group, is answered as expected. */
  group<Results>(title: string, setting: Setting<Results>, scenarios: readonly Scenario[]): void {
    const projectId = this.groups.length + 1
    this.groups.push(() => this.store(setting, projectId))
    describe(title, () => {
      test.each(scenarios)("%s", async (_, query, expected) => {
        const asked = { ...setting.query, ...query }
        const { results } = await this.engine.run<Results>(asked, { ...setting.options, projectId })
        expect(setting.show(results)).toEqual(expected)
      })
    })
  }

  /** Tests that each query, added to that of the setting, is refused with a reason that holds the text. */
  refuses(title: string, query: KindQuery, refusals: readonly (readonly [reason: string, query: JsonObject])[]): void {
    describe(title, () => {
      test.each(refusals)("%s", async (reason, more) => {
        await expect(this.engine.run({ ...query, ...more })).rejects.toThrow(reason)
      })
    })
  }

  private store({ events, persons = {}, recordings = [] }: Setting<never>, projectId: number): void {
    this.engine.insert(
      "session_replay_events",
      recordings.map(([name, seconds, click_count]) => ({
        project_id: projectId,
        session_id: uuidOf(name),
        distinct_id: name,
        first_timestamp: "2024-03-04T09:00:00Z",
        last_timestamp: new Date(Date.parse("2024-03-04T09:00:00Z") + seconds * 1000).toISOString(),
        click_count,
        active_milliseconds: seconds * 500,
      })),
    )
    this.engine.capture(events, projectId)
    const born = new Map<string, string>()
    for (const { actor, at } of events) if (at < (born.get(actor) ?? "9")) born.set(actor, at)
    const rows = [...born].map(([actor, created_at]) => {
      const properties = JSON.stringify(persons[actor] ?? {})
      return { project_id: projectId, id: uuidOf(actor), created_at, properties, version: 1 }
    })
    this.engine.insert("persons", rows)
    this.engine.insert(
      "person_distinct_ids",
      [...born.keys()].map((actor) => ({
        project_id: projectId,
        distinct_id: actor,
        person_id: uuidOf(actor),
        version: 1,
      })),
    )
  }
}

/** An event of `actor` in March 2024: `"04 09:30"` is its day and time, `"04"` its day at noon. */
export function event(actor: string, name: string, when: string, properties: Record<string, Json> = {}): TestEvent {
  const [day = "", time = "12:00"] = when.split(" ")
  const seconds = time.length === 5 ? ":00" : ""
  return { event: name, actor, at: `2024-03-${day}T${time}${seconds}Z`, properties }
}

/** The same event in a session, whose id is made of its name. */
export const inSession = (name: string, happened: TestEvent): TestEvent => ({ ...happened, session: uuidOf(name) })

/** The names of those among `actors` whose persons are shown, in the order of the results. */
export const namePersons = (ids: readonly Json[], actors: readonly string[]): (string | undefined)[] =>
  ids.map((id) => actors.find((actor) => uuidOf(actor) === id))
