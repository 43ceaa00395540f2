import { defineConfig } from "vite"

/** Built into `dist/console`, which the server serves under `/graphql/explorer/` (src/transport/graphql/explorer). */
export default defineConfig({
  root: import.meta.dirname,
  base: "/graphql/explorer/",
  publicDir: false,
  // GraphiQL's style sheet carries 260 K of fonts; those of the system do.
  css: {
    postcss: { plugins: [{ postcssPlugin: "drop-fonts", AtRule: { "font-face": (rule) => void rule.remove() } }] },
  },
  build: {
    outDir: "../dist/console",
    emptyOutDir: true,
    // The server's policy of contents lets no script of data: addresses in.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_500,
    reportCompressedSize: false,
  },
  logLevel: "error",
})
