import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The running Console that the dev server passes calls of the API on to. */
const CONSOLE_URL = process.env['CONSOLE_URL'] ?? 'http://127.0.0.1:8081';
const OUTPUT = join(import.meta.dirname, '../../dist/apps/console-web');

/** Static files only: the Console's plane serves them. Nothing is written into the document itself, which its policy forbids. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), compressAssets()],
  build: {
    outDir: OUTPUT,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2023',
    // Which packages the page is made of: their licences ask for it, and the image's list of parts is made from it.
    license: { fileName: 'licenses.json' },
  },
  server: {
    proxy: Object.fromEntries(['/api', '/docs', '/openapi.json'].map((path) => [path, CONSOLE_URL])),
  },
});

/** Scripts and styles lie there compressed as well: once at the build instead of at each request. */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    closeBundle() {
      const assets = join(OUTPUT, 'assets');
      for (const name of readdirSync(assets).filter((file) => /\.(js|css|svg)$/.test(file))) {
        const content = readFileSync(join(assets, name));
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content));
        writeFileSync(join(assets, `${name}.gz`), gzipSync(content));
      }
    },
  };
}
