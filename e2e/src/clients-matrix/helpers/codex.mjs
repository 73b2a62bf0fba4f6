// Codex by its app server: a turn, a compaction, and a turn that goes on from it. Its own provider, with another address, and
// one that is called OpenAI are asked to compact; for any other Codex asks the model for a summary itself.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const { GATEWAY_URL, GATEWAY_KEY, MODEL, HOME } = process.env;
const CODEX = join(import.meta.dirname, 'node_modules/.bin/codex');
const ENDS_WITHIN_MS = 30_000;

for (const provider of ['', 'OpenAI', 'Model Gateway']) {
  const codex = await startCodex(provider);
  try {
    await codex.call('initialize', { clientInfo: { name: 'matrix', title: 'matrix', version: '1' } });
    const { thread } = await codex.call('thread/start', {
      cwd: HOME,
      approvalPolicy: 'never',
      sandbox: 'read-only',
    });
    const threadId = thread.id;
    const say = (text) => ['turn/start', { threadId, input: [{ type: 'text', text }] }];
    assert.notEqual(await codex.run(...say('Remember the fox.')), '');
    await codex.run('thread/compact/start', { threadId });
    assert.notEqual(await codex.run(...say('What is it?')), '');
  } finally {
    codex.stop();
  }
}

/** @param provider its name; Codex's own where it has none. */
async function startCodex(provider) {
  const home = join(HOME, `home-${provider.replaceAll(' ', '-')}`);
  await mkdir(home, { recursive: true });
  const own = `openai_base_url = "${GATEWAY_URL}/v1"`;
  const named = `
[model_providers.gateway]
name = "${provider}"
base_url = "${GATEWAY_URL}/v1"
env_key = "MODEL_GATEWAY_KEY"
wire_api = "responses"
`;
  const settings = `model = "${MODEL}"
${provider === '' ? own : 'model_provider = "gateway"'}
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
plugins = false
apps = false
${provider === '' ? '' : named}`;
  await writeFile(join(home, 'config.toml'), settings);
  await writeFile(join(home, 'auth.json'), JSON.stringify({ OPENAI_API_KEY: GATEWAY_KEY }));
  const env = { ...process.env, CODEX_HOME: home, MODEL_GATEWAY_KEY: GATEWAY_KEY };
  const child = spawn(CODEX, ['app-server'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = new Map();
  let lastId = 0;
  let onTurn;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, method, params, result, error } = JSON.parse(line);
    if (method === 'turn/completed') onTurn?.(params.turn);
    const answer = answers.get(id);
    if (method !== undefined || !answer) return;
    answers.delete(id);
    if (error) answer.reject(new Error(error.message));
    else answer.resolve(result);
  });
  const call = (method, params) => {
    const id = ++lastId;
    child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
    return new Promise((resolve, reject) => void answers.set(id, { resolve, reject }));
  };
  return {
    call,
    /** Begins a turn and waits for its end. @returns what the model said in it. */
    async run(method, params) {
      const turn = new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${method} did not end`)), ENDS_WITHIN_MS);
        onTurn = (ended) => {
          clearTimeout(timer);
          resolve(ended);
        };
      });
      await call(method, params);
      const { status, error, items } = await turn;
      assert.equal(status, 'completed', error?.message);
      return items.map(({ type, text }) => (type === 'agentMessage' ? text : '')).join('');
    },
    stop: () => child.kill(),
  };
}
