import { anthropicMessages } from '../anthropic-messages/index.js';
import { bedrockConverse } from '../bedrock-converse/index.js';
import type { Codec } from '../canonical/codec.js';
import { geminiGenerate } from '../gemini-generate/index.js';
import { openaiChat } from '../openai-chat/index.js';
import { openaiCompletions } from '../openai-completions/index.js';
import { openaiResponses } from '../openai-responses/index.js';
import type { ChatProtocol, UpstreamProtocol } from './chat-protocol.js';

/** Every protocol that clients speak, one line each. */
const CHAT_PROTOCOLS = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'openai-completions': openaiCompletions,
  'anthropic-messages': anthropicMessages,
  'gemini-generate': geminiGenerate,
};

/** Every protocol that upstreams speak: those, and the ones that no client speaks. */
const UPSTREAM_PROTOCOLS = {
  ...CHAT_PROTOCOLS,
  'bedrock-converse': bedrockConverse,
};

/** A wire format that clients speak, by name. */
export type ClientProtocolName = keyof typeof CHAT_PROTOCOLS;

/** A wire format by name. A block or setting tagged with it belongs to that format alone. */
export type ProtocolName = keyof typeof UPSTREAM_PROTOCOLS;

/** How models may differ behind a protocol: what its provider may say of them. */
export type TraitsOf<Name extends ProtocolName> = Name extends ProtocolName
  ? (typeof UPSTREAM_PROTOCOLS)[Name] extends UpstreamProtocol<infer Traits>
    ? Traits
    : never
  : never;

export const CLIENT_PROTOCOLS = Object.keys(CHAT_PROTOCOLS) as readonly ClientProtocolName[];
export const PROTOCOLS = Object.keys(UPSTREAM_PROTOCOLS) as readonly ProtocolName[];

export function findChatProtocol(name: ClientProtocolName): ChatProtocol {
  return CHAT_PROTOCOLS[name];
}

export function listChatProtocols(): readonly ChatProtocol[] {
  return Object.values(CHAT_PROTOCOLS);
}

export function findUpstreamProtocol(name: ProtocolName): UpstreamProtocol {
  return UPSTREAM_PROTOCOLS[name];
}

export function findCodec(name: ProtocolName): Codec {
  return UPSTREAM_PROTOCOLS[name].codec;
}
