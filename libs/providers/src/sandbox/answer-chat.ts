import { randomBytes } from 'node:crypto';
import { omitUndefined } from '@mg/contract';
import type { LocalReply, LocalRequest } from '../descriptor.js';
import { type ChatBody, ChatRefusal, readChatBody } from './chat-request.js';
import { type Choice, composeChoice } from './compose-choice.js';
import { describeLogprobs } from './logprobs.js';
import { replyWith } from './reply.js';
import { type Identity, streamChoices } from './stream-chat.js';
import { countPrompt, type PromptCount } from './tokens.js';

/** Answers OpenAI chat completions without a model. Bad bodies get OpenAI's error shape with 400. */
export function answerChat(request: LocalRequest): LocalReply {
  let body: ChatBody;
  try {
    body = readChatBody(request.body);
  } catch (error) {
    if (error instanceof ChatRefusal) return replyWith(400, describeRefusal(error));
    throw error;
  }
  const choices = Array.from({ length: body.n ?? 1 }, (_, index) => composeChoice(body, index));
  const usage = describeUsage(countPrompt(body), choices);
  const identity: Identity = {
    id: `chatcmpl-${randomBytes(12).toString('hex')}`,
    created: Math.floor(Date.now() / 1_000),
    model: body.model,
  };
  if (body.stream) {
    return {
      status: 200,
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
      chunks: streamChoices({ identity, body, choices, usage, signal: request.signal }),
    };
  }
  return replyWith(200, {
    id: identity.id,
    object: 'chat.completion',
    created: identity.created,
    model: identity.model,
    choices: choices.map((choice, index) => describeChoice(choice, index, body)),
    usage,
    system_fingerprint: 'sandbox',
  });
}

function describeChoice(choice: Choice, index: number, body: ChatBody): unknown {
  const hasCalls = choice.toolCalls.length > 0;
  return {
    index,
    message: omitUndefined({
      role: 'assistant',
      content: hasCalls ? null : choice.text,
      refusal: null,
      reasoning_content: choice.reasoning === '' ? undefined : choice.reasoning,
      tool_calls: hasCalls
        ? choice.toolCalls.map((call) => ({
            id: `call_${randomBytes(12).toString('hex')}`,
            type: 'function',
            function: call,
          }))
        : undefined,
    }),
    logprobs: body.logprobs ? describeLogprobs(choice.text, body.top_logprobs ?? 0) : null,
    finish_reason: choice.finishReason,
  };
}

function describeUsage(prompt: PromptCount, choices: readonly Choice[]): unknown {
  const completion = choices.reduce((sum, choice) => sum + choice.completionTokens, 0);
  const reasoning = choices.reduce((sum, choice) => sum + choice.reasoningTokens, 0);
  return {
    prompt_tokens: prompt.tokens,
    completion_tokens: completion,
    total_tokens: prompt.tokens + completion,
    prompt_tokens_details: { cached_tokens: prompt.cachedTokens, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  };
}

function describeRefusal(refusal: ChatRefusal): unknown {
  const { message, param } = refusal;
  return { error: { message, type: 'invalid_request_error', param, code: null } };
}
