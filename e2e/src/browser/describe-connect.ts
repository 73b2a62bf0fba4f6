import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { goTo } from './console-page.js';
import type { Stage } from './stage.js';

/** Where the SDKs are installed. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const WITHIN_MS = 60_000;

/** Programs that are run as they are shown. */
const RUN = {
  curl: ['sh', '-c'],
  'OpenAI, Node': [process.execPath, '--input-type=module', '-e'],
  'Anthropic, Node': [process.execPath, '--input-type=module', '-e'],
  'Google, Node': [process.execPath, '--input-type=module', '-e'],
} as const;

/** Desktop programs, and what their settings call the address, the key and the model. */
const TYPED = {
  Cursor: [/^Override OpenAI Base URL: +(\S+)$/m, /^OpenAI API Key: +(\S+)$/m, /^Model: +(\S+)$/m],
  Cline: [/^Base URL: +(\S+)$/m, /^API Key: +(\S+)$/m, /^Model ID: +(\S+)$/m],
} as const;

const execute = promisify(execFile);

/** Asks as a desktop program does, with what was typed into it: a streamed chat by its rules, with its tools. */
async function askAs(name: keyof typeof TYPED, text: string): Promise<string> {
  const [url, key, model] = TYPED[name].map((setting) => setting.exec(text)?.[1]);
  const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
  const answer = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [
        { role: 'system', content: 'You are a coding agent.' },
        { role: 'user', content: [{ type: 'text', text: 'Hello.' }] },
      ],
      tools: [{ type: 'function', function: { name: 'read_file', description: 'Reads.', parameters } }],
      tool_choice: 'auto',
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
    }),
  });
  return `${answer.status} ${(await answer.text()).trim()}`;
}

/** What stands beside a new key, to connect a program with. */
export function describeConnect(stage: Stage): void {
  describe('the text that connects a program', () => {
    it('calls the gateway as it is shown beside a new key', async () => {
      const { page } = stage;
      await goTo(page, 'API keys');
      await page.getByRole('button', { name: 'New key' }).click();
      const form = page.getByRole('dialog', { name: 'New API key' });
      await form.getByLabel('Name').fill('connected');
      await form.getByRole('button', { name: 'Create' }).click();
      const dialog = page.getByRole('dialog', { name: 'Copy the key now' });
      await dialog.getByText('Connect a program').click();
      await dialog.getByLabel('Model').selectOption('sandbox-chat');
      for (const [name, [program, ...parameters]] of Object.entries(RUN)) {
        await dialog.getByLabel('Program').selectOption(name);
        const text = await dialog.getByLabel(name, { exact: true }).innerText();
        const { stdout } = await execute(program, [...parameters, text], { cwd: ROOT, timeout: WITHIN_MS });
        expect([name, stdout]).toEqual([name, expect.stringMatching(/simulated/i)]);
      }
      for (const name of ['Cursor', 'Cline'] as const) {
        await dialog.getByLabel('Program').selectOption(name);
        const text = await dialog.getByLabel(name, { exact: true }).innerText();
        expect(await askAs(name, text)).toMatch(/^200 data: \{.*"usage":\{.*data: \[DONE\]$/s);
      }
      await dialog.getByRole('button', { name: 'I have copied it' }).click();
    });

    it('is shown for keys that are there already, with the address of the gateway', async () => {
      const { page } = stage;
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      const drawer = page.getByRole('dialog', { name: 'Connect a program' });
      await drawer.getByLabel('Program').selectOption('Claude Code');
      const text = await drawer.getByLabel('Claude Code', { exact: true }).innerText();
      expect(text).toContain(`ANTHROPIC_BASE_URL=${stage.product.gatewayUrl}`);
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'hidden' });
    });
  });
}
