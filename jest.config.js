/** Tests run as ES modules on the sources (swc strips the types); children such as the ClickHouse process run from dist. */
export default {
  testEnvironment: "node",
  testMatch: ["<rootDir>/test/**/*.test.ts"],
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
  testTimeout: 60_000,
  maxWorkers: 2,
}
