import { define, type FunctionDefinition } from "./definition.js"

/**
 * Functions that no engine has (`docs/contract/queries.md#hogql-functions`); `resolve/expansions.ts` says what each
 * stands for.
 */
export const OWN_FUNCTIONS: readonly FunctionDefinition[] = [
  ...define({
    Tuple: "sparkline:1 recordingButton:1-2 recording_button=recordingButton:1-2 untuple:1",
    Boolean: "matchesAction:1",
    Float: "convertCurrency:3-4",
    String: "cleanPath:1",
  }),
  ...define(
    {
      String:
        "getSurveyResponse:1-3 lookupDomainType:1 lookupPaidSourceType:1 lookupPaidMediumType:1 lookupOrganicSourceType:1 lookupOrganicMediumType:1 hogql_lookupDomainType=lookupDomainType:1 hogql_lookupPaidSourceType=lookupPaidSourceType:1 hogql_lookupPaidMediumType=lookupPaidMediumType:1 hogql_lookupOrganicSourceType=lookupOrganicSourceType:1 hogql_lookupOrganicMediumType=lookupOrganicMediumType:1",
    },
    { nulls: "always" },
  ),
  ...define({ Unknown: "cast:2" }, { anyCase: true }),
  ...define({ Unknown: "accurateCast=cast:2 accurateCastOrNull=cast:2" }),
  ...define({ Boolean: "exists:1" }, { nulls: "never", anyCase: true }),
  // As PostgreSQL calls them.
  ...define({
    DateTime: "to_timestamp=fromUnixTimestamp:1-2 make_timestamp=makeDateTime:6-7 make_timestamptz=makeDateTime:7",
    Date: "to_date=toDate:1 make_date=makeDate:3",
    Same: "date_subtract=dateSub:2-3",
    String: "to_char=formatDateTime:2-3 btrim=trimBoth:1-2 split_part:3 md5:1",
    Integer: "date_part:2",
    Interval: "make_interval:6",
  }),
]
