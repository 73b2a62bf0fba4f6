import { describe, expect, it } from 'vitest';
import { switchThinking } from './thinking-switch.js';

describe('switchThinking', () => {
  it.each([
    ['off', 'thinking', true, { reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
    ['on', 'thinking', false, { reasoning_effort: 'low' }, { thinking: { type: 'enabled' } }],
    [
      'on, and how long',
      'thinking',
      true,
      { reasoning_effort: 'max' },
      { thinking: { type: 'enabled' }, reasoning_effort: 'max' },
    ],
    ['off by a flag', 'enable_thinking', false, { reasoning_effort: 'none' }, { enable_thinking: false }],
    ['as before when nothing is said', 'thinking', true, { seed: 1 }, { seed: 1 }],
    [
      "as the caller says in the provider's words",
      'thinking',
      false,
      { reasoning_effort: 'high', thinking: { type: 'disabled' } },
      { thinking: { type: 'disabled' } },
    ],
  ] as const)('%s', (_, field, keepsEffort, body, expected) => {
    expect(switchThinking(body, { field, keepsEffort })).toEqual(expected);
  });
});
