import { CohortEntity } from "../cohorts/index.js"
import { FlagEntity } from "./flag.entity.js"

/** What `openDatabase` must know of flags and the cohorts they ask for. */
export const flagEntities = [FlagEntity, CohortEntity]
