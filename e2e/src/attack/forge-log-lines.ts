import { expect } from 'vitest';
import { ConsoleClient, type LogRow } from '../clients/console-client.js';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { waitUntil } from '../wait-until.js';
import type { Attack } from './attack.js';

/** As JSON writes them: a NUL, half of a pair, line breaks, colours, text that runs the other way. */
const NAMES = ['a\\u0000', 'a\\ud800', 'a\\r\\n{\\"level\\":50}', 'a\\u001b[31m', 'a\\u202eb', 'a\\u2028'];

export const forgeLogLines: Attack = {
  threats: ['T22'],
  title: 'a failed call stands in the log whatever its model is called, and each line is one line of JSON',
  async run({ deployment }) {
    const console = await ConsoleClient.asAdmin(deployment);
    const messages = JSON.stringify(HELLO);
    for (const name of NAMES) {
      const answer = await postChat(deployment, `{"model":"${name}","messages":${messages}}`);
      expect([400, 404], `a model called ${name}`).toContain(answer.status);
      const id = answer.headers.get('x-request-id') ?? '';
      await waitUntil(`the log row of a call for ${name}`, () => console.findLog(id));
    }
    deployment.upstream.script('leaky', {
      failure: { kind: 'reply', status: 500, body: { error: { message: 'out of\u0000 order \ud800' } } },
    });
    const failed = await postChat(deployment, { model: 'leaky', messages: HELLO });
    const row: LogRow = await waitUntil('the row of a failed call', () =>
      console.findLog(failed.headers.get('x-request-id') ?? ''),
    );
    expect(row.status).toBe(502);
    const lines = deployment
      .readOutput()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    for (const line of lines) expect(() => JSON.parse(line) as unknown, `the line ${line}`).not.toThrow();
  },
};
