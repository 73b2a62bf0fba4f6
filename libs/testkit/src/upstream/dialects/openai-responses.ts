import { type Choice, joinPieces, type ToolCall } from '../answer.js';
import { errorBody } from '../failures.js';
import { isObject, readText } from '../json.js';
import type { Piece } from '../tokens.js';
import type { Billed } from '../usage.js';
import type { Dialect, StreamEvent, AnswerContext } from './dialect.js';
import { silentEvent } from './dialect.js';
import { readBearer } from './read-bearer.js';
import { encryptCompaction, encryptReasoning, readResponsesRequest } from './responses-request.js';

/** OpenAI's responses. */
export const openaiResponses: Dialect = {
  path: /^(\/v1)?\/responses$/,
  style: { done: false },
  readKey: readBearer,
  readModel: ({ body }) => (isObject(body) ? readText(body['model']) : ''),
  keepsAnswers: true,
  readRequest: readResponsesRequest,
  composeEvents,
  describeAnswer,
  describeError: (_status, { message, type, code, param }) => errorBody(message, type, code, param),
  describeErrorEvent: ({ message, type, code, param }) => ({
    name: 'error',
    body: { type: 'error', code: code ?? type, message, param, sequence_number: 99 },
  }),
};

function describeAnswer(context: AnswerContext): unknown {
  const [choice] = context.answer.choices;
  return describeResponse(context, choice ? listOutput(choice, context) : [], choice);
}

function listOutput(choice: Choice, { identity, request }: AnswerContext): unknown[] {
  return request.compacts === true
    ? [describeCompaction(choice, identity.id)]
    : listItems(choice, identity.id);
}

/** What the model would have said is the summary. */
function describeCompaction({ text }: Choice, id: string) {
  return { id: `cmp_${id}`, type: 'compaction', encrypted_content: encryptCompaction(joinPieces(text)) };
}

/** @param choice the finished one; without it the response is still on its way. */
function describeResponse(
  { identity, billed, request }: AnswerContext,
  output: readonly unknown[],
  choice?: Choice,
) {
  const isCut = choice?.finishReason === 'length';
  return {
    id: `resp_${identity.id}`,
    object: 'response',
    created_at: identity.created,
    status: choice ? (isCut ? 'incomplete' : 'completed') : 'in_progress',
    background: false,
    error: null,
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    max_output_tokens: null,
    model: identity.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: request.previousId ?? null,
    reasoning: { effort: 'medium', summary: null },
    service_tier: 'default',
    store: request.stores ?? true,
    temperature: 1,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: choice ? describeUsage(billed) : null,
    user: null,
    metadata: {},
  };
}

function describeUsage(billed: Readonly<Billed>) {
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = billed;
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  };
}

function listItems(choice: Choice, id: string) {
  return [
    ...(choice.reasoning.length > 0 ? [describeReasoning(choice.reasoning, id)] : []),
    ...(choice.text.length > 0 ? [describeMessage(choice.text, id)] : []),
    ...choice.toolCalls.map((call, index) => describeCall(call, `fc_${id}_${index}`, call.fragments)),
  ];
}

function describeReasoning(reasoning: readonly Piece[], id: string) {
  const text = joinPieces(reasoning);
  return {
    id: `rs_${id}`,
    type: 'reasoning',
    encrypted_content: encryptReasoning(text),
    summary: [{ type: 'summary_text', text }],
  };
}

function describeMessage(text: readonly Piece[], id: string) {
  return {
    id: `msg_${id}`,
    type: 'message',
    status: 'completed',
    content: [describeText(joinPieces(text))],
    role: 'assistant',
  };
}

function describeText(text: string) {
  return { type: 'output_text', annotations: [], logprobs: [], text };
}

function describeCall(call: ToolCall, id: string, fragments: readonly Piece[]) {
  return {
    id,
    type: 'function_call',
    status: 'completed',
    arguments: joinPieces(fragments),
    call_id: call.id,
    name: call.name,
  };
}

type Step = Pick<StreamEvent, 'text' | 'tokens' | 'reasoningTokens'>;
const NOTHING: Step = { text: '', tokens: 0, reasoningTokens: 0 };

function* composeEvents(context: AnswerContext): Generator<StreamEvent> {
  const { answer, identity } = context;
  const [choice] = answer.choices;
  let sequence = 0;
  const event = (type: string, facts: object, step: Step = NOTHING): StreamEvent => ({
    ...silentEvent({ type, sequence_number: sequence++, ...facts }, type),
    ...step,
  });
  const response = describeResponse(context, []);
  yield event('response.created', { response });
  yield event('response.in_progress', { response });
  let index = 0;
  const compacts = context.request.compacts === true;
  if (choice && compacts) {
    const item = describeCompaction(choice, identity.id);
    const tokens = choice.text.reduce((sum, piece) => sum + piece.tokens, 0);
    yield event('response.output_item.added', { output_index: 0, item });
    yield event('response.output_item.done', { output_index: 0, item }, { ...NOTHING, tokens });
  }
  for (const item of choice && !compacts ? listStreamedItems(choice, identity.id) : []) {
    const place = { output_index: index };
    const inside = { item_id: item.done.id, output_index: index, ...item.inner };
    yield event('response.output_item.added', { ...place, item: item.added });
    if (item.part) yield event(item.part.added, { ...inside, part: item.part.empty });
    for (const piece of item.pieces) {
      const reasoningTokens = item.done.type === 'reasoning' ? piece.tokens : 0;
      yield event(`${item.kind}.delta`, { ...inside, delta: piece.text }, { ...piece, reasoningTokens });
    }
    yield event(`${item.kind}.done`, { ...inside, ...item.whole });
    if (item.part) yield event(item.part.done, { ...inside, part: item.part.full });
    yield event('response.output_item.done', { ...place, item: item.done });
    index += 1;
  }
  const items = choice ? listOutput(choice, context) : [];
  const last = describeResponse(context, items, choice);
  yield event(last.status === 'incomplete' ? 'response.incomplete' : 'response.completed', {
    response: last,
  });
}

interface StreamedItem {
  readonly added: unknown;
  readonly done: { readonly id: string; readonly type: string };
  /** Name of the events that carry its pieces. */
  readonly kind: string;
  readonly inner: object;
  readonly pieces: readonly Piece[];
  readonly whole: object;
  readonly part?: {
    readonly added: string;
    readonly done: string;
    readonly empty: unknown;
    readonly full: unknown;
  };
}

function listStreamedItems(choice: Choice, id: string): StreamedItem[] {
  return [
    ...(choice.reasoning.length > 0 ? [streamReasoning(choice.reasoning, id)] : []),
    ...(choice.text.length > 0 ? [streamMessage(choice.text, id)] : []),
    ...choice.toolCalls.map((call, index) => streamCall(call, `fc_${id}_${index}`)),
  ];
}

function streamReasoning(pieces: readonly Piece[], id: string): StreamedItem {
  const done = describeReasoning(pieces, id);
  const text = joinPieces(pieces);
  return {
    added: { ...done, summary: [] },
    done,
    kind: 'response.reasoning_summary_text',
    inner: { summary_index: 0 },
    pieces,
    whole: { text },
    part: {
      added: 'response.reasoning_summary_part.added',
      done: 'response.reasoning_summary_part.done',
      empty: { type: 'summary_text', text: '' },
      full: { type: 'summary_text', text },
    },
  };
}

function streamMessage(pieces: readonly Piece[], id: string): StreamedItem {
  const done = describeMessage(pieces, id);
  const text = joinPieces(pieces);
  return {
    added: { ...done, status: 'in_progress', content: [] },
    done,
    kind: 'response.output_text',
    inner: { content_index: 0 },
    pieces,
    whole: { text, logprobs: [] },
    part: {
      added: 'response.content_part.added',
      done: 'response.content_part.done',
      empty: describeText(''),
      full: describeText(text),
    },
  };
}

function streamCall(call: ToolCall, id: string): StreamedItem {
  const done = describeCall(call, id, call.fragments);
  return {
    added: { ...describeCall(call, id, []), status: 'in_progress' },
    done,
    kind: 'response.function_call_arguments',
    inner: {},
    pieces: call.fragments,
    whole: { arguments: done.arguments },
  };
}
