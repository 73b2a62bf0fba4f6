// `npm run clients`: installs the current coding agents, SDKs and frameworks into a temporary folder, starts the product with
// scripted upstreams of five kinds, lets each agent write a file, started by the text that Connect shows, and each SDK use its
// helpers and batches over all of them, and sessions over those that have them, runs the scripts of Connect, and prints a table. `npm run clients -- Codex` runs those alone whose name has that in it;
// `--keep FOLDER` keeps what is installed, and uses what is there. Needs the registries of npm and, where there is a Python 3.10
// or newer, of PyPI; the clients reach the gateway alone.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { build, findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;
/** npm's packages: agents, SDKs and frameworks. */
const NPM_PACKAGES = [
  '@anthropic-ai/claude-code',
  '@openai/codex',
  '@google/gemini-cli',
  'opencode-ai',
  'openai',
  '@anthropic-ai/sdk',
  '@google/genai',
  '@openai/agents',
  'ai',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  'langchain',
  '@langchain/core',
  '@langchain/openai',
  'zod',
];
/** Each set has an environment of its own: what they need of each other's versions does not fit together. */
const PYTHON_SETS = {
  aider: ['aider-chat'],
  sdks: ['openai', 'anthropic', 'google-genai', 'openai-agents'],
  langchain: ['langchain-openai', 'langchain-anthropic', 'langchain-google-genai'],
  pydantic: ['pydantic-ai-slim[openai,anthropic]'],
  instructor: ['instructor'],
  llama: ['llama-index-llms-openai-like'],
  litellm: ['litellm'],
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' } },
});

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
await build(['monolith']);
const folder = values.keep === undefined ? mkdtempSync(join(tmpdir(), 'mg-clients-')) : resolve(values.keep);
mkdirSync(folder, { recursive: true });
await installNpm();
const withPython = await installPython();
const report = join(folder, 'report.json');
say('Running the clients ...');
const parameters = [
  'run',
  '--project',
  'e2e',
  '--reporter=dot',
  '--reporter=json',
  `--outputFile.json=${report}`,
];
const { code } = await runStep(
  findNode(),
  [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    ...parameters,
    'e2e/src/clients-matrix/clients.e2e.ts',
    ...(positionals.length > 0 ? ['--testNamePattern', positionals.map(escapePattern).join('|')] : []),
  ],
  { env: { CLIENTS_DIRECTORY: folder, CLIENTS_PYTHON: withPython ? '1' : '' } },
);
const cells = existsSync(report) ? readCells(report) : [];
say(`\n${describeCells(cells)}`);
if (!withPython) say('Clients in Python did not run: there is no Python 3.10 or newer here.');
if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
process.exit(code);

async function installNpm() {
  const place = join(folder, 'npm');
  if (existsSync(join(place, 'node_modules/.package-lock.json'))) return;
  say('Installing agents and SDKs of npm ...');
  mkdirSync(place, { recursive: true });
  const packages = NPM_PACKAGES.map((name) => `${name}@latest`);
  const settings = ['--no-audit', '--no-fund', '--loglevel=error'];
  await need('npm', ['install', '--prefix', place, ...settings, ...packages]);
}

/** @returns whether there is a Python to run clients. */
async function installPython() {
  const isNew = 'import sys; sys.exit(sys.version_info < (3, 10))';
  const found = await runStep('python3', ['-c', isNew], { capture: true }).catch(() => ({ code: 1 }));
  if (found.code !== 0) return false;
  for (const [name, packages] of Object.entries(PYTHON_SETS)) {
    const place = join(folder, 'python', name);
    if (existsSync(join(place, 'bin/installed'))) continue;
    say(`Installing ${packages.join(', ')} ...`);
    await need('python3', ['-m', 'venv', place]);
    const settings = ['--quiet', '--prefer-binary', '--disable-pip-version-check'];
    await need(join(place, 'bin/python'), ['-m', 'pip', 'install', ...settings, ...packages]);
    await need('touch', [join(place, 'bin/installed')]);
  }
  return true;
}

/** Runs a step with the Node that the product runs on; ends where it fails. */
async function need(command, words) {
  const path = [dirname(findNode()), process.env.PATH].join(delimiter);
  const { code: failed } = await runStep(command, words, { env: { PATH: path } });
  if (failed === 0) return;
  say(`${command} ${words[0]} failed.`);
  process.exit(1);
}

function escapePattern(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Every cell that ran: its client, the kind of its upstream, and why it failed. */
function readCells(file) {
  const tests = JSON.parse(readFileSync(file, 'utf8')).testResults.flatMap(
    ({ assertionResults }) => assertionResults,
  );
  return tests
    .filter(({ status }) => status === 'passed' || status === 'failed')
    .map(({ title, status, failureMessages }) => {
      const [client, kind] = title.split(' over ');
      return { client, kind, failure: status === 'failed' ? (failureMessages[0] ?? 'failed') : undefined };
    });
}

/** A row for each client, a column for each kind of upstream, and what failed in words. */
function describeCells(ran) {
  const kinds = [...new Set(ran.map(({ kind }) => kind))];
  const clients = [...new Set(ran.map(({ client }) => client))];
  const width = Math.max(...clients.map((name) => name.length), 0) + 2;
  const columns = kinds.map((kind) => kind.length + 2);
  const rows = clients.map((client) => {
    const marks = kinds.map((kind, index) => {
      const cell = ran.find((one) => one.client === client && one.kind === kind);
      return (cell ? (cell.failure === undefined ? 'yes' : 'NO') : '').padEnd(columns[index] ?? 0);
    });
    return client.padEnd(width) + marks.join('');
  });
  const header = ''.padEnd(width) + kinds.map((kind) => `${kind}  `).join('');
  const failures = ran.filter(({ failure }) => failure !== undefined);
  const why = failures.map(({ client, kind, failure }) => `\n${client} over ${kind}: ${failure}`);
  const sum = `\n${ran.length - failures.length} of ${ran.length} work.`;
  return [header, ...rows, ...why, sum].join('\n');
}
