import { randomUUID } from 'node:crypto';
import { omitUndefined } from '@mg/contract';
import type { ReplyContext } from '../canonical/codec.js';
import type { CanonicalChoice, CanonicalReply } from '../canonical/reply.js';
import type { JsonObject } from '../json.js';
import { joinTexts } from '../strict-json/joined-text.js';
import { encodeCreated } from '../openai-chat/encode-response.js';
import { encodeUsage } from '../openai-chat/encode-usage.js';
import { writeCompletionLogprobs } from './logprobs.js';
import { writeStopReason } from './map-stop-reason.js';

const ID_PREFIX = 'cmpl-';

/** Writes a whole text completion: the text of each choice, and nothing else that a chat model may have said. */
export function encodeReply(reply: CanonicalReply, context: ReplyContext): JsonObject {
  return {
    id: encodeId(reply.id),
    object: 'text_completion',
    created: encodeCreated(reply.created),
    model: context.model,
    choices: reply.choices.map(encodeChoice),
    ...omitUndefined({ usage: reply.usage ? encodeUsage(reply.usage) : undefined }),
    ...reply.ext['openai-completions'],
  };
}

/** An id as clients of this protocol know it. */
export function encodeId(id: string): string {
  if (id === '') return ID_PREFIX + randomUUID().replaceAll('-', '');
  return id.startsWith(ID_PREFIX) ? id : ID_PREFIX + id;
}

function encodeChoice(choice: CanonicalChoice, index: number): JsonObject {
  const text = joinTexts(choice.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
  return {
    text: text === '' ? (choice.refusal ?? '') : text,
    index,
    logprobs: choice.logprobs ? writeCompletionLogprobs(choice.logprobs) : null,
    finish_reason: writeStopReason(choice.stop),
  };
}
