import { createCaptureRoutes } from "../../src/features/capture/capture.routes.js"
import { createBrowserListRoutes } from "../../src/features/flags/decide/browser-lists.routes.js"
import { createDecideRoutes } from "../../src/features/flags/decide/decide.routes.js"
import { createRemoteConfigRoutes } from "../../src/features/flags/decide/remote-config.routes.js"
import { createOfrepRoutes } from "../../src/features/flags/ofrep/ofrep.routes.js"
import { toDirectRows } from "../../src/transport/rest/direct-rows.js"
import type { DirectRow, RestRoute } from "../../src/transport/rest/rest-route.types.js"
import { restRoutes } from "../../src/transport/rest/routes/index.js"

/** Who reads what rows say never has them answer. */
const NEVER_ASKED = {} as never

/** The rows of all hot paths. */
export const directRows: readonly DirectRow[] = toDirectRows([
  ...createCaptureRoutes(NEVER_ASKED),
  ...createDecideRoutes(NEVER_ASKED, NEVER_ASKED),
  ...createRemoteConfigRoutes(NEVER_ASKED),
  ...createOfrepRoutes(NEVER_ASKED, NEVER_ASKED),
  ...createBrowserListRoutes(NEVER_ASKED, NEVER_ASKED),
])

/** The whole REST surface of a server, to be looked at. */
export const allRows: readonly RestRoute[] = [...directRows, ...restRoutes]
