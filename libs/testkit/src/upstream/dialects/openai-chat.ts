import { omitUndefined } from '@mg/contract';
import { type Answer, type Choice, joinPieces } from '../answer.js';
import { errorBody } from '../failures.js';
import { isObject, readText } from '../json.js';
import { type ChatRequest, isRefusal, readChatRequest, type Refusal } from '../request.js';
import { reportUsage } from '../usage.js';
import type { Dialect, AnswerContext } from './dialect.js';
import { composeChatEvents } from './openai-chat-events.js';
import { readBearer } from './read-bearer.js';

/** OpenAI's chat completions, and through behaviours those of its look-alikes. */
export const openaiChat: Dialect = {
  path: /^(\/v1)?\/chat\/completions$/,
  style: {},
  readKey: readBearer,
  readModel: ({ body }) => (isObject(body) ? readText(body['model']) : ''),
  readRequest: ({ body }) => hideReasoning(readChatRequest(body)),
  composeEvents: composeChatEvents,
  describeAnswer,
  describeError: (_status, { message, type, code, param }) => errorBody(message, type, code, param),
  describeErrorEvent: ({ message, type, code, param }) => ({ body: errorBody(message, type, code, param) }),
};

/** OpenAI's own models do not return their reasoning here. */
const HIDES_REASONING = /^(?:gpt-|o\d)/;

export function hideReasoning(request: ChatRequest | Refusal): ChatRequest | Refusal {
  return isRefusal(request) || !HIDES_REASONING.test(request.model)
    ? request
    : { ...request, includesReasoning: false };
}

function describeAnswer({ answer, behaviour, identity, billed }: AnswerContext): unknown {
  return omitUndefined({
    id: `chatcmpl-${identity.id}`,
    created: identity.created,
    model: identity.model,
    object: 'chat.completion',
    choices: answer.choices.map((choice, index) => describeChoice(choice, index, answer)),
    usage: behaviour.usage?.placement === 'never' ? undefined : reportUsage(billed, behaviour.usage),
    service_tier: 'default',
    system_fingerprint: 'fp_fake0001',
  });
}

function describeChoice(choice: Choice, index: number, answer: Answer): unknown {
  const hasCalls = choice.toolCalls.length > 0;
  return {
    index,
    message: {
      role: 'assistant',
      content: hasCalls ? null : joinPieces(choice.text),
      ...omitUndefined({
        [answer.reasoningField]: choice.reasoning.length > 0 ? joinPieces(choice.reasoning) : undefined,
        tool_calls: hasCalls
          ? choice.toolCalls.map((call) => ({
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: joinPieces(call.fragments) },
            }))
          : undefined,
      }),
      refusal: null,
      annotations: [],
    },
    logprobs: null,
    finish_reason: choice.finishReason,
  };
}
