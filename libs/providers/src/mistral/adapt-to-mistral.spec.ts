import { expect, it } from 'vitest';
import { adaptToMistral } from './adapt-to-mistral.js';

it('calls the seed by its own name and gives ids the only form it takes, the same for call and result', () => {
  const adapted = adaptToMistral({
    seed: 7,
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', tool_calls: [{ id: 'toolu_01ABC', function: {} }, { id: 'abcDEF123' }] },
      { role: 'tool', tool_call_id: 'toolu_01ABC', content: '1' },
      { role: 'tool', tool_call_id: 'abcDEF123', content: '2' },
    ],
  }) as {
    messages: [unknown, { tool_calls: { id: string }[] }, { tool_call_id: string }, { tool_call_id: string }];
  };
  const [user, assistant, first, second] = adapted.messages;
  expect(adapted).toMatchObject({ random_seed: 7 });
  expect(adapted).not.toHaveProperty('seed');
  expect(user).toEqual({ role: 'user', content: 'hi' });
  expect(assistant.tool_calls[0]?.id).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(first.tool_call_id).toBe(assistant.tool_calls[0]?.id);
  expect([assistant.tool_calls[1]?.id, second.tool_call_id]).toEqual(['abcDEF123', 'abcDEF123']);
});
