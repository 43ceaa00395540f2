import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLNonNull,
  type GraphQLObjectType,
  GraphQLString,
} from "graphql"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { TypedPlace, TypeFinder } from "../../transport/graphql/shape/graph-rules.js"
import { isObject, makeEnum, makeList, makeObject } from "./make-types.js"
import { createFilterPresenter, readFilters } from "./property-filters.js"

const CONDITION = {
  rolloutPercentage: { type: GraphQLFloat, description: "Share of those it holds for, 0 to 100; 100 when absent." },
  variant: { type: GraphQLString, description: "Variant that all of them get." },
  groupTypeIndex: { type: GraphQLInt, description: "Type of the groups that it is about; persons when absent." },
} as const
const VARIANT = {
  key: { type: new GraphQLNonNull(GraphQLString), description: "What code sees." },
  name: { type: GraphQLString, description: "Description for people." },
  rolloutPercentage: { type: GraphQLFloat, description: "Share of those who have the flag, 0 to 100." },
} as const
const VALUE = {
  type: new GraphQLNonNull(GraphQLString),
  description: "Value of the flag that it comes with: a variant, or `true`.",
}
const STAGE = makeEnum("EarlyAccessStage", "How far a feature is that users may switch on for themselves.", {
  DRAFT: "Nobody hears of it.",
  CONCEPT: "Users hear of it, and have it once it is more than a concept.",
  ALPHA: "Whoever enrols has it; it is new.",
  BETA: "Whoever enrols has it.",
  GENERAL_AVAILABILITY: ["general-availability", "Whoever enrols has it, and whoever the conditions give it to."],
  ARCHIVED: "Nobody hears of it any more.",
})
const EARLY_ACCESS = {
  name: { type: new GraphQLNonNull(GraphQLString), description: "What users read as its name." },
  description: { type: GraphQLString, description: "What users read about it." },
  stage: { type: STAGE, description: "How far it is; BETA when absent." },
  documentationUrl: { type: GraphQLString, description: "Where users read more: an address of HTTP." },
} as const
const GROUP_TYPE = { type: GraphQLInt, description: "Type of the groups that are asked for; persons when absent." }

const NAMED_GROUPS: TypedPlace = {
  type: makeList(
    new GraphQLInputObjectType({
      name: "NamedGroupInput",
      description: "A group by the name of its type and its key.",
      fields: {
        type: { type: new GraphQLNonNull(GraphQLString), description: "Name of the type, such as `company`." },
        key: { type: new GraphQLNonNull(GraphQLString), description: "Key of the group." },
      },
    }),
  ),
  description: "Groups of the user, for flags about groups.",
  read: (groups) => (Array.isArray(groups) ? Object.fromEntries(groups.map(({ type, key }) => [type, key])) : groups),
}

/** Definitions of flags: their known form, and all of them as REST has it. */
export function listFlagPlaces(find: TypeFinder, filter: GraphQLObjectType): Record<string, TypedPlace> {
  const condition = new GraphQLInputObjectType({
    name: "FlagReleaseConditionInput",
    description: "Who gets a flag: all that is given must hold.",
    fields: () => ({
      ...CONDITION,
      properties: {
        type: makeList(find.input("PropertyFilterInput")),
        description: "Conditions on the person, the group, cohorts and other flags; everybody without any.",
      },
    }),
  })
  return {
    "FeatureFlag.filters": {
      type: makeFilters(find, filter),
      description: "Who gets which value; null only where a definition was damaged in the store.",
      show: createPresenter(find),
    },
    "FeatureFlagInput.filters": { type: makeInput(find, condition), description: "Who gets which value.", read },
    "FlagDecisionInput.groups": NAMED_GROUPS,
    "FlagExplanationInput.groups": NAMED_GROUPS,
    "Query.conditionReach.condition": {
      type: condition,
      description: "The condition; its rollout does not count.",
      read: readCondition,
    },
  }
}

function makeFilters(find: TypeFinder, filter: GraphQLObjectType): GraphQLObjectType {
  const condition = makeObject("FlagReleaseCondition", "Who gets a flag: all that is said must hold.", () => ({
    ...CONDITION,
    properties: { type: new GraphQLNonNull(makeList(filter)), description: "Its conditions; everybody without any." },
  }))
  const variant = makeObject("FlagVariant", "A value of a flag with several.", () => VARIANT)
  const payload = makeObject("FlagPayload", "What comes with a value of a flag.", () => ({
    value: VALUE,
    payload: { type: find.output("JSON"), description: "The payload, JSON text." },
  }))
  const earlyAccess = makeObject(
    "EarlyAccessFeature",
    "A feature that users may switch on for themselves.",
    () => EARLY_ACCESS,
  )
  return makeObject("FeatureFlagFilters", "Who gets which value of a flag.", () => ({
    conditions: { type: new GraphQLNonNull(makeList(condition)), description: "Release conditions; one is enough." },
    variants: { type: new GraphQLNonNull(makeList(variant)), description: "Variants; none for on or off." },
    payloads: {
      type: new GraphQLNonNull(makeList(payload)),
      description: "Payloads; of encrypted ones only that they are there.",
    },
    groupTypeIndex: GROUP_TYPE,
    earlyExit: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: "Whether the first condition whose properties hold decides alone.",
    },
    earlyAccess: {
      type: earlyAccess,
      description: "The feature that users may switch on for themselves, if it is one.",
    },
    raw: { type: new GraphQLNonNull(find.output("JSON")), description: "All of it, as REST has it." },
  }))
}

function makeInput(find: TypeFinder, condition: GraphQLInputObjectType): GraphQLInputObjectType {
  const variant = new GraphQLInputObjectType({
    name: "FlagVariantInput",
    description: "A value of a flag with several.",
    fields: VARIANT,
  })
  const payload = new GraphQLInputObjectType({
    name: "FlagPayloadInput",
    description: "What comes with a value of a flag.",
    fields: () => ({ value: VALUE, payload: { type: find.input("JSON"), description: "The payload, JSON text." } }),
  })
  const earlyAccess = new GraphQLInputObjectType({
    name: "EarlyAccessFeatureInput",
    description: "A feature that users may switch on for themselves.",
    fields: EARLY_ACCESS,
  })
  return new GraphQLInputObjectType({
    name: "FeatureFlagFiltersInput",
    description: "Who gets which value of a flag.",
    fields: () => ({
      conditions: { type: makeList(condition), description: "Release conditions; one is enough." },
      variants: { type: makeList(variant), description: "Variants; their shares make 100 together." },
      payloads: { type: makeList(payload), description: "Payloads." },
      groupTypeIndex: GROUP_TYPE,
      earlyAccess: {
        type: earlyAccess,
        description: "The feature that users may switch on for themselves; null takes it away.",
      },
      raw: { type: find.input("JSON"), description: "The definition as REST has it; the other fields win over it." },
    }),
  })
}

function createPresenter(find: TypeFinder) {
  const show = createFilterPresenter(find)
  // Filters of flags are about persons unless they say otherwise.
  const showFilter = (one: JsonObject) => show({ type: "person", ...one })
  return (raw: unknown) => {
    const {
      groups,
      multivariate,
      payloads,
      aggregation_group_type_index: group,
      early_exit,
      early_access,
    } = toObject(raw)
    return {
      conditions: toList(groups).map((condition) => ({
        rolloutPercentage: condition.rollout_percentage ?? null,
        variant: condition.variant ?? null,
        groupTypeIndex: condition.aggregation_group_type_index ?? group ?? null,
        properties: toList(condition.properties).map(showFilter),
      })),
      variants: toList(toObject(multivariate).variants).map(({ key = "", name = null, rollout_percentage = null }) => ({
        key,
        name,
        rolloutPercentage: rollout_percentage,
      })),
      payloads: Object.entries(toObject(payloads)).map(([value, payload]) => ({ value, payload })),
      groupTypeIndex: group ?? null,
      earlyExit: early_exit === true,
      earlyAccess: isObject(early_access) ? showEarlyAccess(early_access) : null,
      raw,
    }
  }
}

function read(given: unknown): JsonObject {
  const { conditions, variants, payloads, groupTypeIndex, earlyAccess, raw } = Object(given)
  return {
    ...toObject(raw),
    ...(conditions != null && { groups: conditions.map(readCondition) }),
    ...(variants != null && { multivariate: { variants: variants.map(readVariant) } }),
    ...(payloads != null && { payloads: readPayloads(payloads) }),
    ...(groupTypeIndex != null && { aggregation_group_type_index: groupTypeIndex }),
    ...(earlyAccess !== undefined && { early_access: earlyAccess && readEarlyAccess(earlyAccess) }),
  }
}

const showEarlyAccess = ({ name = "", description = null, stage = null, documentation_url = null }: JsonObject) => ({
  name,
  description,
  stage: STAGE.getValues().some(({ value }) => value === stage) ? stage : null,
  documentationUrl: documentation_url,
})

const readEarlyAccess = ({ documentationUrl, ...feature }: JsonObject): JsonObject => ({
  ...feature,
  ...(documentationUrl !== undefined && { documentation_url: documentationUrl }),
})

function readCondition(given: unknown): JsonObject {
  const { rolloutPercentage, variant, groupTypeIndex, properties } = Object(given)
  return {
    properties: readFilters(properties),
    ...(rolloutPercentage != null && { rollout_percentage: rolloutPercentage }),
    ...(variant != null && { variant }),
    ...(groupTypeIndex != null && { aggregation_group_type_index: groupTypeIndex }),
  }
}

const readVariant = ({ key, name, rolloutPercentage }: Record<string, Json>): JsonObject => ({
  key: key ?? "",
  ...(name != null && { name }),
  ...(rolloutPercentage != null && { rollout_percentage: rolloutPercentage }),
})

const readPayloads = (payloads: readonly { readonly value: string; readonly payload?: Json }[]): JsonObject =>
  Object.fromEntries(payloads.map(({ value, payload = null }) => [value, payload]))

const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {})
const toList = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
