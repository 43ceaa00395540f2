/**
 * The import rules of docs/architecture.md as data. Proven by planted breaches: test/architecture/imports.test.ts.
 *
 * WAYMARK_IMPORT_ROOT lets that test point the same rules at a planted tree; it is the folder that holds src.
 */
const edges = {
  access: [],
  "sign-in": ["access"],
  projects: ["access"],
  persons: ["access", "projects"],
  cohorts: ["access", "projects", "persons"],
  actions: ["access", "projects"],
  flags: ["access", "projects", "cohorts", "cookieless", "persons"],
  cookieless: [],
  capture: ["access", "projects", "cookieless"],
  ingestion: ["access", "projects", "capture", "cookieless", "persons", "plugins", "queries", "recordings"],
  recordings: ["access", "projects", "persons"],
  playlists: ["access", "projects", "recordings"],
  plugins: ["access", "projects"],
  "server-health": ["access"],
  "scheduled-exports": ["access", "projects"],
  sessions: [],
  ageing: ["access", "projects", "capture", "persons", "plugins", "recordings"],
  definitions: ["access", "projects"],
  dashboards: ["access", "projects", "queries", "insights"],
  insights: ["access", "projects", "queries"],
  queries: ["access", "projects", "cohorts", "persons"],
}

const only = (name, from, to) => ({ name, severity: "error", from: { path: from }, to: { path: "^src/", pathNot: to } })

const ADAPTER = "\\.(repository|store|cache|log|entity|feature|resolver|graphql)\\.ts$"

const MIKRO_ORM = "node_modules/@mikro-orm/|^src/platform/postgres/records\\.ts$"
const SQL =
  "node_modules/(@types/)?pg/|^src/platform/postgres/(database|database\\.types|open-pool|when-reachable)\\.ts$"

module.exports = {
  forbidden: [
    only("kernel-stands-alone", "^src/kernel/", "^src/kernel/"),
    only("platform-knows-no-feature", "^src/platform/", "^src/(platform|kernel)/"),
    only("backup-knows-no-feature", "^src/backup/", "^src/(backup|platform|kernel)/"),
    only("moving-knows-no-feature", "^src/moving/", "^src/(moving|backup|platform|kernel)/"),
    only("hogql-is-pure", "^src/hogql/", "^src/(hogql|kernel)/"),
    only("flag-engine-is-pure", "^src/flag-engine/", "^src/(flag-engine|kernel)/"),
    only("transport-knows-no-feature", "^src/transport/", "^src/(transport|platform|kernel)/"),
    only("main-knows-only-app", "^src/(main|admin)\\.ts$", "^src/(app|main)"),
    {
      name: "feature-front-door",
      severity: "error",
      from: { path: "^src/features/([^/]+)/" },
      to: { path: "^src/features/", pathNot: ["^src/features/$1/", "^src/features/[^/]+/index\\.ts$"] },
    },
    {
      name: "hogql-front-door",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/hogql/" },
      to: { path: "^src/hogql/", pathNot: "^src/hogql/index\\.ts$" },
    },
    {
      name: "flag-engine-front-door",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/flag-engine/" },
      to: { path: "^src/flag-engine/", pathNot: "^src/flag-engine/index\\.ts$" },
    },
    {
      name: "feature-looks-down-only",
      severity: "error",
      from: { path: "^src/features/" },
      to: { path: "^src/(transport|app|main)" },
    },
    {
      name: "adapters-touch-platform",
      severity: "error",
      from: { path: "^src/features/", pathNot: ADAPTER },
      to: { path: "^src/platform/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "resolver-calls-services",
      severity: "error",
      from: { path: "\\.resolver\\.ts$" },
      to: { path: "\\.(repository|store|cache|log)\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "records-in-repositories",
      severity: "error",
      from: { path: "^src/features/", pathNot: "\\.(repository|entity)\\.ts$" },
      to: { path: MIKRO_ORM },
    },
    {
      name: "repositories-without-sql",
      severity: "error",
      from: { path: "^src/features/.*\\.(repository|entity)\\.ts$" },
      to: { path: SQL },
    },
    {
      name: "sql-in-stores",
      severity: "error",
      from: { path: "^src/features/", pathNot: "\\.(store|log)\\.ts$" },
      to: { path: SQL, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "pure-stays-pure",
      severity: "error",
      from: { path: "^src/features/[^/]+/(present|steps|process|enrich|insights)/" },
      to: {
        path: "\\.(repository|store|cache|log|service|resolver|feature)\\.ts$|^src/platform/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "pure-knows-no-io",
      severity: "error",
      from: {
        path: "^src/(kernel|hogql|flag-engine)/|^src/features/[^/]+/(present|steps|process|enrich|insights)/",
      },
      to: { path: "^(node:)?(fs|fs/promises|net|http|https|child_process|worker_threads|dgram|dns)$" },
    },
    {
      name: "traces-are-loaded-when-wanted",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/platform/traces/" },
      to: {
        path: "^src/platform/traces/|node_modules/@opentelemetry/",
        dynamic: false,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    { name: "src-without-test", severity: "error", from: { path: "^src/" }, to: { path: "^(test|bench|demo)/" } },
    ...Object.entries(edges).map(([feature, others]) => ({
      name: `edges-of-${feature}`,
      severity: "error",
      from: { path: `^src/features/${feature}/` },
      to: { path: "^src/features/", pathNot: `^src/features/(${[feature, ...others].join("|")})/` },
    })),
  ],
  options: {
    baseDir: process.env.WAYMARK_IMPORT_ROOT ?? __dirname,
    parser: "swc",
    tsPreCompilationDeps: "specify",
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { extensions: [".ts", ".js", ".json"] },
  },
}
