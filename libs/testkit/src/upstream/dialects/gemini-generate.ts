import { omitUndefined } from '@mg/contract';
import { type Choice, joinPieces, type ToolCall } from '../answer.js';
import { isObject } from '../json.js';
import type { Billed } from '../usage.js';
import { type Dialect, silentEvent, type StreamEvent, type AnswerContext } from './dialect.js';
import { matchPath, readGenerateRequest, signCall, signsCalls } from './gemini-request.js';

/** Google's generateContent, whole and as server-sent events. */
export const geminiGenerate: Dialect = {
  path: /^\/v1(?:beta)?\/models\/.+:(?:generateContent|streamGenerateContent)$/,
  style: { newline: '\r\n', done: false },
  readKey: (headers) => String(headers['x-goog-api-key'] ?? ''),
  readModel: ({ path }) => matchPath(path).model,
  readRequest: readGenerateRequest,
  composeEvents,
  describeAnswer,
  describeError: (status, { message }) => describeError(status, message),
  describeErrorEvent: ({ message }) => ({ body: describeError(500, message) }),
  counting: {
    path: /^\/v1(?:beta)?\/models\/.+:countTokens$/,
    toChat: (arrival) => {
      const wrapped = isObject(arrival.body) ? arrival.body['generateContentRequest'] : undefined;
      const { model: _named, ...inner } = isObject(wrapped) ? wrapped : {};
      return {
        ...arrival,
        path: arrival.path.replace(/:countTokens$/, ':generateContent'),
        body: isObject(wrapped) ? inner : arrival.body,
      };
    },
    describe: (tokens) => ({
      totalTokens: tokens,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }],
    }),
  },
};

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

const FINISH_REASONS = { stop: 'STOP', length: 'MAX_TOKENS', tool_calls: 'STOP' } as const;

function describeError(code: number, message: string): unknown {
  return { error: { code, message, status: STATUSES[code] ?? 'INTERNAL' } };
}

function describeAnswer({ answer, identity, billed }: AnswerContext): unknown {
  const candidates = answer.choices.map((choice, index) => ({
    content: { parts: listParts(choice, identity.model), role: 'model' },
    finishReason: FINISH_REASONS[choice.finishReason],
    index,
  }));
  return { candidates, usageMetadata: describeUsage(billed), ...describeOrigin(identity) };
}

function describeOrigin({ id, model }: AnswerContext['identity']) {
  return { modelVersion: model, responseId: id };
}

/** The prompt includes what the cache had; candidates leave out reasoning. */
function describeUsage(billed: Readonly<Billed>) {
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = billed;
  return omitUndefined({
    promptTokenCount: promptTokens,
    candidatesTokenCount: completionTokens - reasoningTokens,
    totalTokenCount: promptTokens + completionTokens,
    cachedContentTokenCount: cachedTokens > 0 ? cachedTokens : undefined,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: promptTokens }],
    thoughtsTokenCount: reasoningTokens > 0 ? reasoningTokens : undefined,
  });
}

function listParts(choice: Choice, model: string): unknown[] {
  const thought = joinPieces(choice.reasoning);
  const text = joinPieces(choice.text);
  return [
    ...(thought === '' ? [] : [{ text: thought, thought: true }]),
    ...(text === '' ? [] : [{ text }]),
    ...choice.toolCalls.map((call, index) => describeCall(call, index, model)),
  ];
}

/** Calls come whole, and only the first of a turn is signed. */
function describeCall(call: ToolCall, index: number, model: string): unknown {
  const functionCall = { name: call.name, args: JSON.parse(joinPieces(call.fragments)) as unknown };
  const signed = signsCalls(model) && index === 0;
  return omitUndefined({ functionCall, thoughtSignature: signed ? signCall(call.name) : undefined });
}

function* composeEvents({ answer, identity, billed }: AnswerContext): Generator<StreamEvent> {
  let bill: Billed = { ...billed, ...pickPrompt(answer) };
  const event = (part: unknown, index: number, step: Step, finishReason?: string): StreamEvent => {
    bill = {
      ...bill,
      completionTokens: bill.completionTokens + step.tokens,
      reasoningTokens: bill.reasoningTokens + step.reasoningTokens,
    };
    const finish = finishReason === undefined ? {} : { finishReason };
    const candidate = { content: { parts: [part], role: 'model' }, ...finish, index };
    const body = { candidates: [candidate], usageMetadata: describeUsage(bill), ...describeOrigin(identity) };
    return { ...silentEvent(body), ...step };
  };
  for (const [index, choice] of answer.choices.entries()) {
    for (const { text, tokens } of choice.reasoning) {
      yield event({ text, thought: true }, index, { text, tokens, reasoningTokens: tokens });
    }
    for (const { text, tokens } of choice.text) {
      yield event({ text }, index, { text, tokens, reasoningTokens: 0 });
    }
    for (const [at, call] of choice.toolCalls.entries()) {
      const tokens = call.fragments.reduce((sum, piece) => sum + piece.tokens, 0);
      const step = { text: joinPieces(call.fragments), tokens, reasoningTokens: 0 };
      yield event(describeCall(call, at, identity.model), index, step);
    }
    const nothing = { text: '', tokens: 0, reasoningTokens: 0 };
    yield event({ text: '' }, index, nothing, FINISH_REASONS[choice.finishReason]);
  }
}

type Step = Pick<StreamEvent, 'text' | 'tokens' | 'reasoningTokens'>;

function pickPrompt({ promptTokens, cachedTokens }: AnswerContext['answer']): Partial<Billed> {
  return { promptTokens, cachedTokens };
}
