import { findChatProtocol, gatherBytes } from '@mg/protocols';
import { expect, it } from 'vitest';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { TimedAttempt } from '../../call/try-channels.js';
import { ChatRequest } from '../chat/chat-request.js';
import { CountOperation } from './count-operation.js';

const FILE = Buffer.alloc(400_000, 'a file ÿ');
const TEXT = FILE.toString('utf8');

/** What a channel of Anthropic's is asked to count. */
async function send(mimeType: string, data: string): Promise<string> {
  const body = Buffer.from(JSON.stringify({ contents: [{ parts: [{ inlineData: { mimeType, data } }] }] }));
  const address = { model: 'slug', method: 'countTokens', query: {} };
  const { envelope } = findChatProtocol('gemini-generate').readCall(body, address);
  const request = new ChatRequest('gemini-generate', envelope, body, {});
  const endpoint = {
    surface: { protocol: 'anthropic-messages', operation: 'count-tokens', countedIn: 'input_tokens' },
    traits: {},
  };
  const gateway = { chatEndpoints: { find: () => endpoint } } as unknown as GatewayContext;
  const attempt = { channel: { type: 'some-channel' }, upstreamModel: 'slug' } as unknown as TimedAttempt;
  const prepared = await new CountOperation(request, 'totalTokens', gateway).prepare(attempt);
  const [sent] = prepared?.bodies ?? [];
  return (await gatherBytes(sent?.bytes ?? Buffer.alloc(0))).toString();
}

it.each([
  ['application/pdf', FILE.toString('base64url'), FILE.toString('base64')],
  ['text/plain', FILE.toString('base64'), TEXT],
])(
  'M5: files that are converted in steps are counted as they go out: %s',
  async (mimeType, data, written) => {
    expect((await send(mimeType, data)).includes(`"data":${JSON.stringify(written)}`)).toBe(true);
  },
);
