import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../json.js';
import { readChatRequest } from '../request.js';
import { type Dialect, silentEvent, type StreamEvent, type AnswerContext } from './dialect.js';
import { composeChatEvents, OPENING_FILTER, SAFE } from './openai-chat-events.js';
import { hideReasoning, openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';

const DEPLOYMENT = /^\/openai\/deployments\/([^/]+)\/chat\/completions$/;

/**
 * OpenAI's chat completions on Azure, whose older versions name the deployment in the path. A stream opens with what the
 * filter says of the prompt, and reports later, in a choice without a delta, what it says of the answer.
 */
export const azureChat: Dialect = {
  ...openaiChat,
  path: /^\/openai\/(?:v1|deployments\/[^/]+)\/chat\/completions$/,
  readKey: readAzureKey,
  readModel: (arrival) => matchDeployment(arrival.path) ?? openaiChat.readModel(arrival),
  composeEvents,
  readRequest: ({ path, body }) => {
    const deployment = matchDeployment(path);
    return hideReasoning(
      readChatRequest(isObject(body) && deployment !== undefined ? { ...body, model: deployment } : body),
    );
  },
};

/** OpenAI's responses on Azure, where the body names the deployment in every version. */
export const azureResponses: Dialect = {
  ...openaiResponses,
  path: /^\/openai\/(?:v1\/)?responses$/,
  readKey: readAzureKey,
};

const CLOSING_FILTER = {
  id: '',
  object: '',
  created: 0,
  model: '',
  choices: [
    {
      index: 0,
      finish_reason: null,
      content_filter_offsets: { check_offset: 44, start_offset: 44, end_offset: 198 },
      content_filter_results: { hate: SAFE, self_harm: SAFE, sexual: SAFE, violence: SAFE },
    },
  ],
};

function* composeEvents(context: AnswerContext): Generator<StreamEvent> {
  yield silentEvent(OPENING_FILTER);
  yield* composeChatEvents(context);
  yield silentEvent(CLOSING_FILTER);
}

function readAzureKey(headers: IncomingHttpHeaders): string {
  return String(headers['api-key'] ?? '');
}

function matchDeployment(path: string): string | undefined {
  const [, deployment] = DEPLOYMENT.exec(path) ?? [];
  return deployment === undefined ? undefined : decodeURIComponent(deployment);
}
