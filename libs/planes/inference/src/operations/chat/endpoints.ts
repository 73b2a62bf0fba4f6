import { listChatProtocols } from '@mg/protocols';
import type { BilledEndpoint } from '../../call/operation.js';
import { needJson } from '../../call/receive.js';
import { ChatOperation } from './chat-operation.js';
import { ChatRequest } from './chat-request.js';

/** The endpoint of every protocol that has a path of its own. Google's paths name the model: see `google-endpoints.ts`. */
export const CHAT_ENDPOINTS: readonly BilledEndpoint[] = listChatProtocols().flatMap((protocol) => {
  const { path, name: dialect } = protocol;
  if (path === undefined) return [];
  const open: BilledEndpoint['open'] = (received, { headers, query }, gateway) => {
    const body = needJson(received);
    const call = protocol.readCall(body, { query: query as Record<string, unknown> });
    return new ChatOperation(new ChatRequest(dialect, call.envelope, body, headers, call.framing), gateway);
  };
  return [{ path, dialect, open }];
});
