import { omitUndefined } from '@mg/contract';
import type { ProtocolName, ReasoningBlock, Signature, ToolCallBlock } from '../canonical/blocks.js';
import {
  type CarriedKind,
  limitCarried,
  packSignature,
  unpackSignature,
} from '../canonical/carry-signature.js';
import { readObject, readObjects } from '../canonical/read-fields.js';
import { isObject, type JsonObject } from '../json.js';
import { limitDetails, readDetails } from './reasoning-details.js';

/**
 * Thoughts have no place of their own in this protocol. Their text stands in `reasoning_content`; what another provider
 * wants back stands in `thinking_blocks`, and for Gemini's calls in `extra_content`: names that clients know and echo.
 */
const REASONING_HOME: ProtocolName = 'anthropic-messages';
const CALLS_HOME: ProtocolName = 'gemini-generate';

/**
 * Reads the reasoning of a message: that with signatures if there is any, as OpenRouter details them, else the plain text.
 *
 * @param origin protocol that unmarked signatures belong to: that of the name when a client sends them back, our own
 *   when an upstream made them, since only the same upstream may have them again.
 */
export function readReasoning(message: JsonObject, origin: ProtocolName = REASONING_HOME): ReasoningBlock[] {
  const blocks = Array.isArray(message.thinking_blocks) ? message.thinking_blocks.filter(isObject) : [];
  const signed = blocks
    .map((block) => readThinkingBlock(block, origin))
    .filter((block) => block !== undefined);
  if (signed.length > 0) return signed;
  const details = readDetails(message.reasoning_details);
  if (details.length > 0) return details;
  const text = [message.reasoning_content, message.reasoning].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return typeof text === 'string' ? [{ type: 'reasoning', text }] : [];
}

/**
 * Bounds what proves the reasoning of a message and rides on its calls, which is read in one step.
 *
 * @throws GatewayError `invalid_request`
 */
export function limitReasoning(message: JsonObject, path: string): void {
  const blocks = readObjects(message.thinking_blocks).flatMap(({ signature, data }) => [signature, data]);
  const calls = readObjects(message.tool_calls).map(readThoughtSignature);
  limitCarried([...blocks, ...calls], path);
  limitDetails(message.reasoning_details, `${path}.reasoning_details`);
}

export function readThinkingBlock(block: JsonObject, origin: ProtocolName): ReasoningBlock | undefined {
  if (block.type === 'redacted_thinking') {
    const redacted = readSignature(block.data, origin);
    return redacted && { type: 'reasoning', text: '', redacted };
  }
  if (block.type !== 'thinking') return undefined;
  const signature = readSignature(block.signature, origin);
  const text = typeof block.thinking === 'string' ? block.thinking : '';
  if (text === '' && !signature) return undefined;
  return omitUndefined({ type: 'reasoning', text, signature });
}

/** The thinking block that carries a signature, or `undefined` where reasoning has none. */
export function writeThinkingBlock(block: ReasoningBlock, home = REASONING_HOME): JsonObject | undefined {
  if (block.redacted) {
    return { type: 'redacted_thinking', data: writeSignature(block.redacted, 'redacted', home) };
  }
  if (!block.signature) return undefined;
  return {
    type: 'thinking',
    thinking: block.text,
    signature: writeSignature(block.signature, 'thought', home),
  };
}

/** Reads the signature that rides on a call. */
export function readCallSignature(
  call: JsonObject,
  origin: ProtocolName = CALLS_HOME,
): Signature | undefined {
  return readSignature(readThoughtSignature(call), origin);
}

function readThoughtSignature(call: JsonObject): unknown {
  return readObject(readObject(call.extra_content)?.google)?.thought_signature;
}

/** The members that carry a call's signature. */
export function writeCallSignature(
  signature: ToolCallBlock['signature'],
  home = CALLS_HOME,
): { extra_content?: JsonObject } {
  if (!signature) return {};
  return { extra_content: { google: { thought_signature: writeSignature(signature, 'call', home) } } };
}

function readSignature(value: unknown, origin: ProtocolName): Signature | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return unpackSignature(value)?.signature ?? { protocol: origin, value };
}

function writeSignature(signature: Signature, kind: CarriedKind, home: ProtocolName): string {
  return signature.protocol === home ? signature.value : packSignature(signature, kind);
}
