import { testConsole } from "./console-suite.js"
import { testDashboards } from "./dashboards.js"
import { testExplorer } from "./explorer.js"
import { testFlagApproval } from "./flag-approval.js"
import { testFlags } from "./flags.js"
import { testHogql } from "./hogql.js"
import { testInsights } from "./insights.js"
import { testRecordings } from "./recordings.js"
import { testServing } from "./serving.js"
import { testSession } from "./session.js"
import { testShell } from "./shell.js"

testConsole({
  serving: testServing,
  "the session": testSession,
  "around every screen": testShell,
  "the builder of insights": testInsights,
  "questions in HogQL": testHogql,
  dashboards: testDashboards,
  "the flags": testFlags,
  "flags of others": testFlagApproval,
  "the recordings": testRecordings,
  "the explorer": testExplorer,
})
