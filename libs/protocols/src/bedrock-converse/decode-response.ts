import { GatewayError } from '@mg/contract';
import type { Block } from '../canonical/blocks.js';
import { pickRest } from '../canonical/check-fields.js';
import { limitAnswer } from '../canonical/limit-items.js';
import { readObject } from '../canonical/read-fields.js';
import { throwUpstreamError, isTooDeep } from '../canonical/refuse.js';
import type { CanonicalReply } from '../canonical/reply.js';
import { hasCalls, resolveStopReason } from '../canonical/resolve-stop-reason.js';
import { restoreToolName } from '../canonical/tool-name.js';
import type { JsonObject } from '../json.js';
import { countConverseItems } from './count-items.js';
import { decodeContent, HOME } from './decode-content.js';
import { readFaultObject } from './errors.js';
import { isFailedGeneration, readStopReason, readStopSequence } from './map-stop-reason.js';
import { readConverseUsage } from './read-usage.js';

const FIELDS = new Set(['output', 'stopReason', 'usage']);

/** Reads a whole answer. It names neither itself nor its model. @throws GatewayError `upstream_error` when it is none. */
export function decodeReply(body: JsonObject): CanonicalReply {
  const message = readObject(readObject(body.output)?.message);
  if (!message || isTooDeep(body)) {
    return throwUpstreamError(readFaultObject(body)?.message ?? 'The answer of the upstream is no message.');
  }
  if (isFailedGeneration(body.stopReason)) throwUpstreamError(explainFailedGeneration(body.stopReason));
  limitAnswer(countConverseItems(body));
  const blocks = readBlocks(message.content);
  const rest = pickRest(body, FIELDS);
  return {
    id: '',
    model: '',
    created: 0,
    choices: [
      {
        blocks,
        stop: resolveStopReason(readStopReason(body.stopReason), hasCalls(blocks)),
        stopSequence: readStopSequence(body.additionalModelResponseFields),
        refusal: undefined,
        logprobs: undefined,
      },
    ],
    usage: readConverseUsage(body.usage),
    ext: rest ? { [HOME]: rest } : {},
  };
}

/** What is said of an answer that its model spoiled. */
export function explainFailedGeneration(reason: unknown): string {
  return `The upstream's model gave no usable answer: ${String(reason)}.`;
}

function readBlocks(content: unknown): readonly Block[] {
  try {
    return decodeContent(content ?? [], 'content').map((block) =>
      block.type === 'tool-call' ? { ...block, name: restoreToolName(block.name) } : block,
    );
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return throwUpstreamError(`The answer of the upstream cannot be read: ${error.message}`);
  }
}
