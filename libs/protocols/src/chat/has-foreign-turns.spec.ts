import { describe, expect, it } from 'vitest';
import type { ClientProtocolName, Signature } from '../canonical/blocks.js';
import { packSignature } from '../canonical/carry-signature.js';
import { findChatProtocol, type TraitsOf } from './chat-protocols.js';

const CARRIED: Signature = { protocol: 'openai-chat', value: 'x' };
const MARKED = packSignature(CARRIED, 'thought');

interface Case {
  readonly says: string;
  readonly protocol: ClientProtocolName;
  readonly body: Record<string, unknown>;
  readonly traits?: TraitsOf<ClientProtocolName>;
  readonly foreign: boolean;
}

const think = (signature: string) => ({
  messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm', signature }] }],
});
const call = (extra: object) => ({
  contents: [{ role: 'model', parts: [{ functionCall: { name: 'f', args: {} }, ...extra }] }],
});
const reason = (extra: object) => ({
  store: false,
  input: [{ type: 'reasoning', id: 'rs_1', summary: [], ...extra }],
});

const CASES: readonly Case[] = [
  { says: 'its own signature', protocol: 'anthropic-messages', body: think('EqQB'), foreign: false },
  { says: 'a carried one', protocol: 'anthropic-messages', body: think(MARKED), foreign: true },
  { says: 'none', protocol: 'anthropic-messages', body: think(''), foreign: true },
  {
    says: 'none, and a model that signs nothing',
    protocol: 'anthropic-messages',
    body: think(''),
    traits: { acceptsReasoningHistory: true },
    foreign: false,
  },
  { says: 'its own', protocol: 'gemini-generate', body: call({ thoughtSignature: 'CiQB' }), foreign: false },
  {
    says: 'a carried one',
    protocol: 'gemini-generate',
    body: call({ thoughtSignature: MARKED }),
    foreign: true,
  },
  {
    says: 'an unsigned call',
    protocol: 'gemini-generate',
    body: call({}),
    traits: { requiresCallSignatures: true },
    foreign: true,
  },
  {
    says: 'an unsigned call, and a model before signatures',
    protocol: 'gemini-generate',
    body: call({}),
    traits: { requiresCallSignatures: false },
    foreign: false,
  },
  {
    says: 'its own',
    protocol: 'openai-responses',
    body: reason({ encrypted_content: 'gAAA' }),
    foreign: false,
  },
  {
    says: 'a carried one',
    protocol: 'openai-responses',
    body: reason({ encrypted_content: MARKED }),
    foreign: true,
  },
  { says: 'a plain thought', protocol: 'openai-responses', body: reason({}), foreign: true },
  {
    says: 'a plain thought that another account may have stored',
    protocol: 'openai-responses',
    body: { ...reason({}), store: true },
    foreign: true,
  },
  {
    says: 'thoughts of any kind',
    protocol: 'openai-chat',
    body: { messages: [{ role: 'assistant', content: 'Hi', reasoning_content: 'Hm' }] },
    foreign: false,
  },
  ...['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks'].map((field) => ({
    says: `${field}, and a model that takes none`,
    protocol: 'openai-chat' as const,
    body: { messages: [{ role: 'assistant', content: 'Hi', [field]: [] }] },
    traits: { acceptsReasoningFields: false },
    foreign: true,
  })),
  {
    says: 'no thoughts, and a model that takes none',
    protocol: 'openai-chat',
    body: { messages: [{ role: 'assistant', content: 'Hi', reasoning_content: null }] },
    traits: { acceptsReasoningFields: false },
    foreign: false,
  },
];

describe('hasForeignTurns', () => {
  it.each(CASES)('$protocol with $says: $foreign', ({ protocol, body, traits = {}, foreign }) => {
    const bytes = Buffer.from(JSON.stringify(body));
    expect(findChatProtocol(protocol).hasForeignTurns(bytes, body, traits)).toBe(foreign);
  });
});
