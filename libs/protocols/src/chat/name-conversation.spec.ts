import { describe, expect, it } from 'vitest';
import { readCpuMs } from '../testing/cpu-time.js';
import { nameConversation } from './name-conversation.js';

const SYSTEM = { role: 'system', content: 'You are a helpful assistant.' };
const user = (content: unknown) => ({ role: 'user', content });
const answer = { role: 'assistant', content: 'yes' };

describe('nameConversation', () => {
  it.each([
    [
      'messages',
      { messages: [SYSTEM, user('hello')] },
      { messages: [SYSTEM, user('hello'), answer, user('on')] },
    ],
    [
      'system',
      { system: 'Be brief.', messages: [user('hello')] },
      { system: 'Be brief.', messages: [user('hello'), answer], max_tokens: 9 },
    ],
    [
      'contents',
      { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
      {
        contents: [
          { role: 'user', parts: [{ text: 'hello' }] },
          { role: 'model', parts: [] },
        ],
      },
    ],
    [
      'contents without a role',
      { contents: [{ parts: [{ text: 'hello' }] }] },
      { contents: [{ parts: [{ text: 'hello' }] }, { role: 'model', parts: [] }, { parts: [] }] },
    ],
    [
      'input',
      { instructions: 'x', input: [user('hello')] },
      { instructions: 'x', input: [user('hello'), answer] },
    ],
    ['the cache key', { prompt_cache_key: 'k', input: 'a' }, { prompt_cache_key: 'k', input: 'b' }],
  ])('is the same for every turn: %s', (_name, first, later) => {
    expect(nameConversation(later)).toBe(nameConversation(first));
  });

  it('differs between conversations', () => {
    const names = [
      { messages: [user('hello')] },
      { messages: [user('hullo')] },
      { messages: [SYSTEM, user('hello')] },
      { system: 'hello' },
      { messages: [user([{ type: 'text', text: 'hello' }])] },
      { input: 'hello' },
      { prompt_cache_key: 'hello' },
    ].map(nameConversation);
    expect(new Set(names).size).toBe(names.length);
  });

  it('takes no longer for megabytes than for a sentence', () => {
    const large = {
      messages: [SYSTEM, user('x'.repeat(20_000_000)), ...Array.from({ length: 5_000 }, () => answer)],
    };
    const wide = { messages: [user(Array.from({ length: 100_000 }, () => ({ type: 'text', text: 'a' })))] };
    const startedMs = readCpuMs();
    for (let count = 0; count < 100; count++) {
      nameConversation(large);
      nameConversation(wide);
    }
    expect(readCpuMs() - startedMs).toBeLessThan(2_000);
  });
});
