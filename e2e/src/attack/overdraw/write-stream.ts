import { isObject, type Json, listObjects } from '@mg/testkit';
import type { ChatDialect } from './read-maximum-cost.js';

/** Words of a streamed answer; each is a token. */
const WORDS = [' fox', ' fox', ' fox', ' fox', ' fox', ' fox', ' fox', ' END'];
/** What its callers wait for. */
export const LAST_WORD = 'END';
export const STREAMED_TOKENS = WORDS.length;

/** An answer as events. */
export interface WrittenStream {
  /** Everything but the end. */
  readonly begin: string;
  readonly end: string;
}

/**
 * @param whole the same answer as a whole, which has the usage.
 * @param promptTokens as they are known when the stream begins.
 * @param tellsUsage whether usage is reported at all.
 */
export function writeStream(
  dialect: ChatDialect,
  whole: Json,
  promptTokens: number,
  tellsUsage: boolean,
): WrittenStream {
  switch (dialect) {
    case 'chat':
    case 'completions':
      return writeChat(whole, tellsUsage);
    case 'responses':
      return writeResponse(tellsUsage ? whole : { ...whole, usage: null });
    case 'messages':
      return writeMessage(whole, promptTokens);
    case 'gemini':
      return writeGemini(whole, promptTokens, tellsUsage);
  }
}

function lines(events: readonly unknown[]): string {
  return events
    .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
    .join('');
}

function named(events: readonly Json[]): string {
  return events
    .map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

/** Usage comes last, behind all choices. */
function writeChat({ usage, service_tier: tier }: Json, tellsUsage: boolean): WrittenStream {
  const head = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    service_tier: tier,
  };
  const choose = (text: string, reason: string | null) => ({
    ...head,
    choices: [{ index: 0, text, delta: { content: text }, finish_reason: reason }],
  });
  const usages = tellsUsage ? [{ ...head, choices: [], usage }] : [];
  return {
    begin: lines(WORDS.map((word) => choose(word, null))),
    end: lines([choose('', 'stop'), ...usages, '[DONE]']),
  };
}

/** Each call of a tool is told before it is made; the whole response comes last, with what its tools did. */
function writeResponse(whole: Json): WrittenStream {
  const started = { ...whole, status: 'in_progress', output: [], usage: null };
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] };
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const part = { type: 'output_text', text: '', annotations: [] };
  const called = listObjects(whole['output']).filter(({ type }) => type !== 'message');
  const begin = [
    { type: 'response.created', response: started },
    ...called.map((item, index) => ({ type: 'response.output_item.added', output_index: index + 1, item })),
    { type: 'response.output_item.added', output_index: 0, item: message },
    { type: 'response.content_part.added', ...at, part },
    ...WORDS.map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
  ];
  const text = WORDS.join('');
  const done = { ...message, status: 'completed', content: [{ ...part, text }] };
  const end = [
    { type: 'response.output_text.done', ...at, text },
    { type: 'response.content_part.done', ...at, part: { ...part, text } },
    { type: 'response.output_item.done', output_index: 0, item: done },
    { type: 'response.completed', response: whole },
  ];
  const number = (events: readonly Json[], from: number) =>
    named(events.map((event, index) => ({ ...event, sequence_number: from + index })));
  return { begin: number(begin, 0), end: number(end, begin.length) };
}

/** The prompt is reported first, what came of it last; that a tool is called is told before it is run. */
function writeMessage(whole: Json, promptTokens: number): WrittenStream {
  const usage = isObject(whole['usage']) ? whole['usage'] : {};
  const first = {
    ...usage,
    cache_creation_input_tokens: promptTokens,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: promptTokens },
    output_tokens: 1,
    server_tool_use: { web_search_requests: 0 },
  };
  const message = { ...whole, content: [], stop_reason: null, container: null, usage: first };
  const delta = { stop_reason: 'end_turn', stop_sequence: null, container: whole['container'] ?? null };
  const uses = isObject(usage['server_tool_use']) ? Object.values(usage['server_tool_use']) : [];
  const call = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
  const called =
    uses.some((count) => count !== 0) || (delta.container !== null && delta.container !== undefined);
  return {
    begin: named([
      { type: 'message_start', message },
      ...(called
        ? [
            { type: 'content_block_start', index: 1, content_block: call },
            { type: 'content_block_stop', index: 1 },
          ]
        : []),
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...WORDS.map((text) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      })),
    ]),
    end: named([
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta, usage },
      { type: 'message_stop' },
    ]),
  };
}

/** Usage comes with every event. */
function writeGemini(whole: Json, promptTokens: number, tellsUsage: boolean): WrittenStream {
  const { usageMetadata, ...last } = whole;
  // `JSON.stringify` leaves out what is undefined.
  const tell = (metadata: unknown) => (tellsUsage ? metadata : undefined);
  const say = (text: string, index: number) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }],
    modelVersion: whole['modelVersion'],
    usageMetadata: tell({
      promptTokenCount: promptTokens,
      candidatesTokenCount: index + 1,
      totalTokenCount: promptTokens + index + 1,
    }),
  });
  const candidates = listObjects(whole['candidates']).map(({ content: _content, ...rest }) => rest);
  const end = { ...last, candidates, usageMetadata: tell(usageMetadata) };
  return { begin: lines(WORDS.map(say)), end: lines([end]) };
}
