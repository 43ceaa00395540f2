import { type EnumValue, registerEnum } from "../../../platform/graphql/enum.js"

/** The modes in which a query is answered; starting a run whatever is kept is the mutation `startQuery`. */
export const QueryRefreshEnum = registerEnum("QueryRefresh", "How fresh an answer has to be.", {
  BLOCKING: ["blocking", "A fresh answer that is kept, else it is calculated now."],
  FORCE_BLOCKING: ["force_blocking", "Calculated now, whatever is kept."],
  ASYNC: ["async", "A kept answer, also a stale one, for which a run is started; else the run."],
  LAZY_ASYNC: ["lazy_async", "As ASYNC, and content with older answers."],
  FORCE_CACHE: ["force_cache", "What is kept, however old, else a CacheMiss; never calculated."],
})
export type QueryRefreshEnum = EnumValue<typeof QueryRefreshEnum>
