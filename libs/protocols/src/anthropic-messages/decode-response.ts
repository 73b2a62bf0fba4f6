import { GatewayError } from '@mg/contract';
import type { Block } from '../canonical/blocks.js';
import { pickRest } from '../canonical/check-fields.js';
import { limitAnswer } from '../canonical/limit-items.js';
import { throwUpstreamError, isTooDeep } from '../canonical/refuse.js';
import type { CanonicalReply } from '../canonical/reply.js';
import { hasCalls, resolveStopReason } from '../canonical/resolve-stop-reason.js';
import { restoreToolName } from '../canonical/tool-name.js';
import { isObject, type JsonObject } from '../json.js';
import { countMessageItems } from './count-items.js';
import { decodeContent } from './decode-blocks.js';
import { readFaultObject } from './errors.js';
import { readStopReason } from './map-stop-reason.js';
import { OUTPUT_TOOL } from '../canonical/output-tool.js';
import { readMessagesUsage } from './read-usage.js';

const HOME = 'anthropic-messages';
const FIELDS = new Set([
  'id',
  'type',
  'role',
  'model',
  'content',
  'stop_reason',
  'stop_sequence',
  'stop_details',
  'usage',
]);

/** Reads a whole message. @throws GatewayError `upstream_error` when it is none. */
export function decodeReply(body: JsonObject): CanonicalReply {
  if (body.type === 'error') throwUpstreamError(readFaultObject(body)?.message ?? 'The upstream failed.');
  if (!Array.isArray(body.content) || isTooDeep(body))
    throwUpstreamError('The answer of the upstream is no message.');
  limitAnswer(countMessageItems(body));
  const blocks = readBlocks(body.content);
  const rest = pickRest(body, FIELDS);
  return {
    id: typeof body.id === 'string' ? body.id : '',
    model: typeof body.model === 'string' ? body.model : '',
    created: 0,
    choices: [
      {
        blocks,
        stop: resolveStopReason(readStopReason(body.stop_reason), hasCalls(blocks)),
        stopSequence: typeof body.stop_sequence === 'string' ? body.stop_sequence : undefined,
        refusal: readRefusal(body),
        logprobs: undefined,
      },
    ],
    usage: readMessagesUsage(body.usage),
    ext: rest ? { [HOME]: rest } : {},
  };
}

/** Why a policy refused, where the provider says so. */
export function readRefusal(message: JsonObject): string | undefined {
  const details = isObject(message.stop_details) ? message.stop_details : {};
  return typeof details.explanation === 'string' && details.explanation !== ''
    ? details.explanation
    : undefined;
}

function readBlocks(content: unknown): readonly Block[] {
  try {
    return decodeContent(content, 'content').map(restoreBlock);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return throwUpstreamError(`The answer of the upstream cannot be read: ${error.message}`);
  }
}

function restoreBlock(block: Block): Block {
  if (block.type !== 'tool-call') return block;
  if (block.name === OUTPUT_TOOL) return { type: 'text', text: block.arguments };
  return { ...block, name: restoreToolName(block.name) };
}
