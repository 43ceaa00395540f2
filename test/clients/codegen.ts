export default {
  schema: "schema.graphql",
  documents: ["src/**/*.{ts,tsx}"],
  generates: {
    "src/graphql/": {
      preset: "client",
      presetConfig: { fragmentMasking: false },
      config: { strictScalars: true, scalars: { DateTimeISO: "string", JSON: "unknown" } },
    },
  },
}
