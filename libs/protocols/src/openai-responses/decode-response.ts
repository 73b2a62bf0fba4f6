import { randomUUID } from 'node:crypto';
import { omitUndefined } from '@mg/contract';
import type { Block } from '../canonical/blocks.js';
import { limitAnswer } from '../canonical/limit-items.js';
import { readList, readNumber, readObjects, readText } from '../canonical/read-fields.js';
import { throwUpstreamError, isTooDeep } from '../canonical/refuse.js';
import type { CanonicalReply } from '../canonical/reply.js';
import { hasCalls } from '../canonical/resolve-stop-reason.js';
import { restoreToolName } from '../canonical/tool-name.js';
import type { JsonObject } from '../json.js';
import { flattenName } from './caller-tools.js';
import { countOutputItems } from './count-items.js';
import { decodeReasoningItem } from './decode-input.js';
import { decodeAnnotations } from './decode-parts.js';
import { readResponsesFaultObject } from './errors.js';
import { readResponsesStop } from './map-stop-reason.js';
import { readResponsesUsage } from './read-usage.js';

/**
 * Reads a whole response.
 *
 * @throws GatewayError `upstream_error` for a response that failed or is none.
 */
export function decodeResponsesReply(response: JsonObject): CanonicalReply {
  if (isTooDeep(response)) throwUpstreamError("The upstream's answer is nested too deeply.");
  throwFailure(response);
  if (!Array.isArray(response.output)) throwUpstreamError("The upstream's answer holds no output.");
  limitAnswer(countOutputItems(response));
  const items = readObjects(response.output);
  const blocks = items.flatMap(decodeItem);
  const refusals = items.flatMap(readRefusals);
  const logprobs = items.flatMap(readLogprobs);
  return {
    id: readText(response.id) ?? randomUUID(),
    model: readText(response.model) ?? '',
    created: Math.floor(readNumber(response.created_at) ?? 0),
    choices: [
      {
        blocks,
        stop: readResponsesStop(response, hasCalls(blocks)),
        stopSequence: undefined,
        refusal: refusals.length === 0 ? undefined : refusals.join(''),
        logprobs: logprobs.length === 0 ? undefined : { content: logprobs },
      },
    ],
    usage: readResponsesUsage(response.usage),
    ext: {},
  };
}

/**
 * Whether a policy ended a whole response.
 *
 * @throws GatewayError `upstream_error` for a response that failed.
 */
export function isResponsesRefusal(response: JsonObject): boolean {
  throwFailure(response);
  return readResponsesStop(response, false) === 'filtered';
}

function throwFailure(response: JsonObject): void {
  if (response.error !== undefined && response.error !== null) {
    throwUpstreamError(
      readResponsesFaultObject(response)?.message ?? 'The upstream failed without saying why.',
    );
  }
  if (response.status === 'failed' || response.status === 'cancelled') {
    throwUpstreamError(`The upstream's answer is ${response.status}.`);
  }
}

/** Blocks of one item of the output; refusals are not among them. */
export function decodeItem(item: JsonObject): Block[] {
  switch (item.type) {
    case 'message':
      return readObjects(item.content).flatMap((part) => decodeTextPart(part) ?? []);
    case 'reasoning': {
      const { block } = decodeReasoningItem(item);
      return block ? [block] : [];
    }
    case 'function_call':
      return [decodeCall(item, readText(item.arguments) || '{}')];
    default:
      return typeof item.type === 'string'
        ? [{ type: 'opaque', protocol: 'openai-responses', raw: item }]
        : [];
  }
}

export function decodeCall(item: JsonObject, args: string): Extract<Block, { type: 'tool-call' }> {
  const name = readText(item.name) ?? '';
  const namespace = readText(item.namespace);
  return omitUndefined({
    type: 'tool-call',
    id: readText(item.call_id) || readText(item.id) || `call_${randomUUID()}`,
    name: namespace === undefined ? restoreToolName(name) : flattenName(namespace, name),
    arguments: args,
    origin: namespace === undefined ? undefined : { kind: 'function' as const, namespace, name },
  });
}

/** `undefined` for what is no text, and for text that is empty. */
export function decodeTextPart(part: JsonObject): Extract<Block, { type: 'text' }> | undefined {
  const text = part.type === 'output_text' ? readText(part.text) : undefined;
  if (text === undefined || text === '') return undefined;
  const citations = decodeAnnotations(part.annotations);
  return citations.length === 0 ? { type: 'text', text } : { type: 'text', text, citations };
}

function readRefusals(item: JsonObject): string[] {
  if (item.type !== 'message') return [];
  return readObjects(item.content).flatMap((part) => readText(part.refusal) ?? []);
}

function readLogprobs(item: JsonObject): unknown[] {
  return item.type === 'message' ? readObjects(item.content).flatMap((part) => readList(part.logprobs)) : [];
}
