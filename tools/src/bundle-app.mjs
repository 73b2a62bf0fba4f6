// Makes one program of an app and of all that it imports: a process that reads ten files starts in a third of the time of one
// that reads three thousand. Run by the build of each app, from the workspace's folder: node tools/src/bundle-app.mjs <app>
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Programs that the gateway starts by their name, beside its own file. */
const STARTED_BY_GATEWAY = {
  'gateway-worker': 'libs/planes/inference/dist/gateway-worker.js',
  'count-worker': 'libs/planes/inference/dist/call/count-worker.js',
  'measure-worker': 'libs/planes/inference/dist/operations/audio/measure-worker.js',
};
const APPS_WITH_GATEWAY = ['gateway', 'monolith'];
/** The same for the Console. */
const STARTED_BY_CONSOLE = { 'yaml-worker': 'libs/planes/console/dist/prices/yaml-worker.js' };
const APPS_WITH_CONSOLE = ['console', 'monolith'];

const [app] = process.argv.slice(2);
const target = `dist/apps/${app}`;
const workers = Object.assign(
  {},
  APPS_WITH_GATEWAY.includes(app) && STARTED_BY_GATEWAY,
  APPS_WITH_CONSOLE.includes(app) && STARTED_BY_CONSOLE,
);

const bundle = await rolldown({
  input: {
    main: `apps/${app}/dist/main.js`,
    ...workers,
  },
  platform: 'node',
  // It finds Postgres and Redis by the place of its own files.
  external: ['@mg/embedded'],
  transform: { define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' } },
  plugins: [leaveOptionalPackages(), writeVersion(), placeTokens(), keepToAscii()],
});
rmSync(target, { recursive: true, force: true });
await bundle.write({
  dir: target,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  sourcemap: true,
  // Modules run in the order of their imports, as without a bundle: decorators need reflect-metadata before them.
  strictExecutionOrder: true,
  // Nest and the log show names of classes.
  keepNames: true,
  charset: 'ascii',
  // Of licences alone. What a program's files hold stays in memory as long as it runs.
  comments: { legal: true, annotation: false, jsdoc: false },
});
await bundle.close();

/** Frameworks ask for packages that may be absent, and go on without them: so they do in the bundle. */
function leaveOptionalPackages() {
  return {
    name: 'leave-optional-packages',
    resolveId: {
      // The bundler is asked to call for these alone: a call for each of thousands of modules is a third of its work.
      filter: { id: /^(?![./\0]|node:|@mg\/)/ },
      async handler(id, importer, { kind }) {
        if (importer === undefined) return null;
        return (await this.resolve(id, importer, { kind, skipSelf: true })) ?? { id, external: true };
      },
    },
  };
}

/** The tokenizer's tokens lie in a file of its package, which a bundle has beside the thread that reads it. */
function placeTokens() {
  const [name, found] = [
    'o200k_base.tiktoken',
    "import.meta.resolve('gpt-tokenizer/data/o200k_base.tiktoken')",
  ];
  return {
    name: 'place-tokens',
    load: {
      filter: { id: endingWith('/libs/planes/inference/dist/call/count-worker.js') },
      handler(id) {
        const code = readFileSync(id, 'utf8');
        if (!code.includes(found)) throw new Error(`${id} reads its tokens from elsewhere.`);
        const source = readFileSync(fileURLToPath(import.meta.resolve(`gpt-tokenizer/data/${name}`)));
        this.emitFile({ type: 'asset', fileName: name, source });
        return code.replace(found, `new URL('${name}', import.meta.url)`);
      },
    },
  };
}

/** Node has the text of a program in memory, and takes two bytes for each of its characters where a single one is not of ASCII. */
function keepToAscii() {
  const escape = (text) =>
    text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return {
    name: 'keep-to-ascii',
    generateBundle(_options, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk') continue;
        // Names in licences, which are all that is left.
        file.code = file.code.replace(/\/\*![^]*?\*\/|\/\/!.*/g, escape);
        const [character] = /[^\0-\x7f]/.exec(file.code) ?? [];
        if (character !== undefined)
          this.error(`${file.fileName} holds ${character}, which is not of ASCII.`);
      }
    },
  };
}

/** The version is read from a file beside the library, which a bundle has no place for. */
function writeVersion() {
  return {
    name: 'write-version',
    load: {
      filter: { id: endingWith('/libs/runtime/dist/product-version.js') },
      handler() {
        const { version } = JSON.parse(readFileSync('libs/runtime/package.json', 'utf8'));
        return `export const PRODUCT_VERSION = ${JSON.stringify(version)};`;
      },
    },
  };
}

/** Of the names of modules. */
function endingWith(path) {
  return new RegExp(`${path.replaceAll('.', '\\.')}$`);
}
