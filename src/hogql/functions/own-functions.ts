import { define, type FunctionDefinition } from "./definition.js"

/**
 * Functions that no engine has (`docs/contract/queries.md#hogql-functions`); `resolve/expansions.ts` says what each
 * stands for.
 */
export const OWN_FUNCTIONS: readonly FunctionDefinition[] = [
  ...define("Tuple", "sparkline:1 recordingButton:1-2 recording_button=recordingButton:1-2"),
  ...define("String", "getSurveyResponse:1-3", { nulls: "always" }),
  ...define(
    "String",
    "lookupDomainType:1 lookupPaidSourceType:1 lookupPaidMediumType:1 lookupOrganicSourceType:1 lookupOrganicMediumType:1 hogql_lookupDomainType=lookupDomainType:1 hogql_lookupPaidSourceType=lookupPaidSourceType:1 hogql_lookupPaidMediumType=lookupPaidMediumType:1 hogql_lookupOrganicSourceType=lookupOrganicSourceType:1 hogql_lookupOrganicMediumType=lookupOrganicMediumType:1",
    { nulls: "always" },
  ),
  ...define("Boolean", "matchesAction:1"),
  ...define("Boolean", "exists:1", { nulls: "never", anyCase: true }),
  ...define("Tuple", "untuple:1"),
  ...define("Float", "convertCurrency:3-4"),
]
