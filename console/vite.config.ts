import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, gzip } from "node:zlib"
import { defineConfig, type Plugin } from "vite"

const OUT = join(import.meta.dirname, "../dist/console")

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Puts `.br` and `.gz` beside every asset: the server sends them as they are. */
const COMPRESS: Plugin = {
  name: "compress",
  async writeBundle(_options, bundle) {
    const assets = Object.keys(bundle).filter((name) => name.startsWith("assets/"))
    await Promise.all(
      assets.map(async (name) => {
        const bytes = await readFile(join(OUT, name))
        const [brotli, gzipped] = await Promise.all([compressBrotli(bytes), compressGzip(bytes, { level: 9 })])
        await Promise.all([writeFile(join(OUT, `${name}.br`), brotli), writeFile(join(OUT, `${name}.gz`), gzipped)])
      }),
    )
  },
}

/** Built into `dist/console`, which the server serves at `/` (src/transport/console-routes.ts). */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [COMPRESS],
  // GraphiQL's style sheet carries 260 K of fonts; those of the system do.
  css: {
    postcss: { plugins: [{ postcssPlugin: "drop-fonts", AtRule: { "font-face": (rule) => void rule.remove() } }] },
  },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    // What the budget is measured by (test/architecture/console-budget.integration.test.ts).
    manifest: "manifest.json",
    // The server's policy of contents lets no script of data: addresses in.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_500,
    // What the first page has of Mantine is one file; the rest is loaded with the screens that have it.
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: "mantine", test: /node_modules\/@mantine\//, tags: ["$initial"] }] },
      },
    },
    reportCompressedSize: false,
  },
  logLevel: "error",
})
