import { describe, expect, it } from 'vitest';
import type { ProtocolName } from '../chat/chat-protocols.js';
import { encodeFor } from '../testing/encode-for.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUg==';
const image = { inlineData: { mimeType: 'image/png', data: PNG } };
/** A conversation with a model that makes images, which goes on with another one. */
const ask = (...contents: object[]) => ({ contents });
const said = { role: 'model', parts: [{ text: 'Here:' }, image] };
const drawn = ask({ role: 'user', parts: [{ text: 'Draw.' }] }, said, {
  role: 'user',
  parts: [{ text: 'What is it?' }],
});

describe('never less with a 200: images that a model made', () => {
  it.each<ProtocolName>(['openai-chat', 'anthropic-messages', 'bedrock-converse'])(
    'are seen by the next model of %s, in the turn of the user',
    (to) => {
      const { body, dropped } = encodeFor('gemini-generate', to, drawn);
      const [, answer, question] = body.messages as object[];
      expect(JSON.stringify(answer)).toContain('Here:');
      expect(JSON.stringify(answer)).not.toContain(PNG);
      expect(JSON.stringify(question)).toMatch(/Images of the answer above:.*iVBORw0.*What is it\?/);
      expect(dropped).toEqual([]);
    },
  );

  it('are last where nothing was said after them', () => {
    const { body } = encodeFor('gemini-generate', 'anthropic-messages', ask(said));
    expect((body.messages as { role: string }[]).at(-1)).toMatchObject({ role: 'user' });
  });

  it('stay where they were in their own protocol', () => {
    const { body } = encodeFor('gemini-generate', 'gemini-generate', drawn);
    expect(JSON.stringify((body.contents as object[])[1])).toContain(PNG);
  });
});
