import { omitUndefined } from '@mg/contract';
import { type JsonObject, keepIntegers, stringifyInSlices } from '@mg/protocols';
import type { Attempt } from '@mg/routing';
import type { ChatEndpoint } from '../../call/chat-endpoints.js';
import type { HeldChat } from './prepare-chat.js';
import type { ChatAttempt } from './chat-attempt.js';
import { isHeavy, nextTurn } from '../../edge/loop-turns.js';
import { refuseUnpriced } from './refuse-unpriced.js';

/**
 * The client's own bytes, but for the model, the usage flag, the limits that the client did not set - what goes out is what was
 * held for - and what asks the upstream to keep nothing.
 *
 * @throws GatewayError `invalid_request` for what the model has no price for.
 */
export function prepareNative(
  endpoint: ChatEndpoint,
  attempt: Attempt,
  chat: HeldChat,
): ChatAttempt | Promise<ChatAttempt> {
  const { protocol, envelope, body } = chat.request;
  const { toolUses, unpriced } = chat.hold;
  refuseUnpriced(unpriced, envelope.model);
  const keepNothing = chat.keepsNothing ? protocol.keepNothing?.(envelope.parsed) : undefined;
  if (toolUses === undefined || !protocol.limitTools) {
    return edit(endpoint, attempt, chat, keepNothing ? write(keepNothing) : NOTHING);
  }
  const limits = protocol.limitTools(keepIntegers(body, envelope.parsed), toolUses);
  const changes = { ...limits, ...keepNothing };
  if (isHeavy(body.length)) {
    return writeInSteps(changes).then((members) => edit(endpoint, attempt, chat, members));
  }
  return edit(endpoint, attempt, chat, write(changes));
}

type Members = ReadonlyMap<string, Buffer>;

const NOTHING: Members = new Map();

function write(values: JsonObject): Members {
  return new Map(
    Object.entries(values).map(([name, value]) => [name, Buffer.from(JSON.stringify(value))] as const),
  );
}

/** Tools may have megabytes. */
async function writeInSteps(values: JsonObject): Promise<Members> {
  const members = new Map<string, Buffer>();
  for (const [name, value] of Object.entries(values)) {
    members.set(name, await stringifyInSlices(value, nextTurn));
  }
  return members;
}

function edit({ traits }: ChatEndpoint, attempt: Attempt, chat: HeldChat, members: Members): ChatAttempt {
  const { protocol, envelope, framing, body, showsUsage, cached } = chat.request;
  const { cap } = chat.hold;
  const forceUsage = envelope.stream && !envelope.includeUsage;
  return {
    body: protocol.editRequest(body, envelope, {
      model: attempt.upstreamModel,
      forceUsage,
      cap: cap === undefined ? undefined : Math.min(cap, traits.maxOutputTokens ?? cap),
      ...omitUndefined({ cachedContent: cached?.upstreamName }),
      members,
      traits,
    }),
    dropped: undefined,
    isNative: true,
    readAnswer: (bytes, parsed) => ({
      bytes,
      usage: protocol.readAnswerUsage(parsed),
      get produced() {
        return protocol.listProducedTexts(parsed);
      },
    }),
    createReader: () => protocol.createTap({ withholdUsage: forceUsage && !showsUsage, framing }),
  };
}
