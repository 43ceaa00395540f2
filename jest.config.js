/**
 * Tests run as ES modules on the sources (swc strips the types); children such as the ClickHouse process run from dist.
 * What a suite needs is the end of its name: `.integration.test.ts` real stores, servers or browsers, `.soak.test.ts` minutes
 * of kills or comparisons, plain `.test.ts` nothing (test/architecture/tiers.test.ts).
 */
const shared = {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      {
        jsc: {
          target: "es2024",
          parser: { syntax: "typescript", decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
        },
        module: { type: "es6" },
        sourceMaps: "inline",
      },
    ],
  },
  modulePathIgnorePatterns: ["<rootDir>/dist/", "/planted/"],
  setupFiles: ["reflect-metadata"],
}

const withStores = {
  globalSetup: "<rootDir>/test/support/prepare-templates.mjs",
  globalTeardown: "<rootDir>/test/support/remove-templates.mjs",
}

export default {
  testTimeout: 60_000,
  testSequencer: "<rootDir>/test/support/longest-first.mjs",
  projects: [
    {
      ...shared,
      displayName: "unit",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: ["\\.(integration|soak)\\.test\\.ts$"],
    },
    { ...shared, ...withStores, displayName: "integration", testMatch: ["<rootDir>/test/**/*.integration.test.ts"] },
    { ...shared, ...withStores, displayName: "soak", testMatch: ["<rootDir>/test/**/*.soak.test.ts"] },
  ],
}
