import { omitUndefined } from '@mg/contract';
import { type Answer, type Choice, joinPieces } from '../answer.js';
import { errorBody } from '../failures.js';
import { isObject, readText } from '../json.js';
import { type ChatRequest, readCount, readStop, type Refusal, refuse } from '../request.js';
import { reportUsage } from '../usage.js';
import { type Arrival, type Dialect, silentEvent, type StreamEvent, type AnswerContext } from './dialect.js';
import { readBearer } from './read-bearer.js';
import { findUnknown, listWords } from './refuse-unknown.js';

const FIELDS = listWords(
  'model prompt suffix max_tokens temperature top_p n stream stream_options logprobs echo stop ' +
    'presence_penalty frequency_penalty best_of logit_bias seed user',
);
const DEFAULT_MAX_TOKENS = 16;

/** OpenAI's legacy text completions. */
export const openaiCompletions: Dialect = {
  path: /^(\/v1)?\/completions$/,
  style: {},
  readKey: readBearer,
  readModel: ({ body }) => (isObject(body) ? readText(body['model']) : ''),
  readRequest,
  composeEvents,
  describeAnswer,
  describeError: (_status, { message, type, code, param }) => errorBody(message, type, code, param),
  describeErrorEvent: ({ message, type, code, param }) => ({ body: errorBody(message, type, code, param) }),
};

function readRequest({ body }: Arrival): ChatRequest | Refusal {
  if (!isObject(body)) return refuse('We could not parse the JSON body of your request.');
  const unknown = findUnknown(body, FIELDS);
  if (unknown !== undefined) return refuse(`Unrecognized request argument supplied: ${unknown}`, unknown);
  const options = body['stream_options'];
  if (options !== undefined && options !== null && body['stream'] !== true) {
    return refuse(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
    );
  }
  const prompts = listPrompts(body['prompt']);
  const wanted = typeof body['n'] === 'number' ? body['n'] : 1;
  return {
    model: readText(body['model']),
    messages: prompts.map((content) => ({ role: 'user', content })),
    stream: body['stream'] === true,
    includeUsage: isObject(options) && options['include_usage'] === true,
    choices: wanted * prompts.length,
    maxTokens: readCount(body['max_tokens']) ?? DEFAULT_MAX_TOKENS,
    stop: readStop(body['stop']),
    tools: [],
    toolChoice: undefined,
    responseSchema: undefined,
  };
}

/** Every prompt as a text; a token stands for a word. */
function listPrompts(prompt: unknown): string[] {
  if (!Array.isArray(prompt)) return [readText(prompt)];
  if (typeof prompt[0] === 'number') return [prompt.map(() => ' a').join('')];
  return prompt.flatMap(listPrompts);
}

function describeOrigin({ id, created, model }: AnswerContext['identity']) {
  return { id: `cmpl-${id}`, object: 'text_completion', created, model };
}

function describeAnswer({ answer, behaviour, identity, billed }: AnswerContext): unknown {
  return {
    ...describeOrigin(identity),
    choices: answer.choices.map((choice, index) => ({
      text: joinPieces(choice.text),
      index,
      logprobs: null,
      finish_reason: nameEnd(choice),
    })),
    ...omitUndefined({
      usage: behaviour.usage?.placement === 'never' ? undefined : reportUsage(billed, behaviour.usage),
    }),
  };
}

function* composeEvents({
  answer,
  request,
  identity,
  billed,
  behaviour,
}: AnswerContext): Generator<StreamEvent> {
  const usage = request.includeUsage ? { usage: null } : {};
  const event = (choice: object): StreamEvent =>
    silentEvent({ ...describeOrigin(identity), choices: [{ logprobs: null, ...choice }], ...usage });
  for (const { index, piece } of listPieces(answer)) {
    yield {
      ...event({ text: piece.text, index, finish_reason: null }),
      text: piece.text,
      tokens: piece.tokens,
    };
  }
  for (const [index, choice] of answer.choices.entries()) {
    yield event({ text: '', index, finish_reason: nameEnd(choice) });
  }
  if (!request.includeUsage) return;
  yield silentEvent({
    ...describeOrigin(identity),
    choices: [],
    usage: reportUsage(billed, behaviour.usage),
  });
}

function listPieces(answer: Answer) {
  return answer.choices.flatMap((choice, index) => choice.text.map((piece) => ({ index, piece })));
}

function nameEnd({ finishReason }: Choice): string {
  return finishReason === 'length' ? 'length' : 'stop';
}
