import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace"

/** Who decides that a trace without a parent is recorded, by OpenTelemetry's names. */
type RootSampler = "always_on" | "always_off" | "traceidratio"

/** Those, alone or only where no parent has decided. */
export type SamplerName = RootSampler | `parentbased_${RootSampler}`

const SAMPLERS: Readonly<Record<SamplerName, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

/** Makes a sampler by OpenTelemetry's name for it; `ratio` is from 0 to 1 and counts for those that draw lots. */
export const createSampler = (name: SamplerName, ratio: number): Sampler => SAMPLERS[name](ratio)
