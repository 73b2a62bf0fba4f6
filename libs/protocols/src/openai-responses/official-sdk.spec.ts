import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { findCodec, findUpstreamProtocol, type ProtocolName, type TraitsOf } from '../chat/chat-protocols.js';
import type { JsonObject } from '../json.js';
import { listEvents } from '../matrix/convert-answer.js';
import { type Wire, WIRES } from '../matrix/row.js';
import { codec as openaiResponses } from './codec.js';

const TOOL = {
  type: 'function' as const,
  name: 'now',
  description: 'Tells the time.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
  strict: true,
};
const QUESTION = { role: 'user' as const, content: 'Time?' };

interface Surface {
  readonly wire: Wire;
  readonly model: string;
  readonly traits?: TraitsOf<ProtocolName>;
  /** Thinks, and calls the tool. */
  readonly first: JsonObject;
  /** Answers what the tool said. */
  readonly second: JsonObject;
  /** What the upstream has to get back of its first answer. */
  readonly proof: object;
}

const chat = (message: JsonObject, reason: string) => ({
  id: 'chatcmpl-1',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }],
});
const THOUGHT = { type: 'reasoning.text', text: 'I need it.', signature: 'c2ln', format: 'x', index: 0 };

const SURFACES: readonly Surface[] = [
  {
    wire: 'messages',
    model: 'claude-sonnet-4-5',
    traits: { supportsAdaptiveThinking: false },
    first: {
      id: 'msg_1',
      content: [
        { type: 'thinking', thinking: 'I need it.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'aGlk' },
        { type: 'tool_use', id: 'toolu_1', name: 'now', input: {} },
      ],
      stop_reason: 'tool_use',
    },
    second: { id: 'msg_2', content: [{ type: 'text', text: 'Noon.' }], stop_reason: 'end_turn' },
    proof: {
      messages: [
        {},
        {
          content: [
            { type: 'thinking', thinking: 'I need it.', signature: 'c2ln' },
            { type: 'redacted_thinking', data: 'aGlk' },
            { type: 'tool_use', id: 'toolu_1' },
          ],
        },
        { content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
      ],
    },
  },
  {
    wire: 'gemini',
    model: 'gemini-3.5-flash',
    first: {
      responseId: 'r1',
      candidates: [
        {
          content: {
            parts: [
              { text: 'I need it.', thought: true },
              { functionCall: { id: 'call_1', name: 'now', args: {} }, thoughtSignature: 'Z29vZw==' },
            ],
          },
          finishReason: 'STOP',
        },
      ],
    },
    second: { candidates: [{ content: { parts: [{ text: 'Noon.' }] }, finishReason: 'STOP' }] },
    proof: {
      contents: [
        {},
        { parts: [{ functionCall: { name: 'now' }, thoughtSignature: 'Z29vZw==' }] },
        { parts: [{ functionResponse: { id: 'call_1', response: { output: 'noon' } } }] },
      ],
    },
  },
  {
    wire: 'responses',
    model: 'gpt-5.6',
    first: {
      id: 'resp_1',
      status: 'completed',
      output: [
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'I need it.' }],
          encrypted_content: 'gAAA+/=',
        },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'now', arguments: '{}' },
      ],
    },
    second: {
      id: 'resp_2',
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Noon.' }] }],
    },
    proof: {
      input: [
        {},
        { type: 'reasoning', summary: [{ text: 'I need it.' }], encrypted_content: 'gAAA+/=' },
        { type: 'function_call', call_id: 'call_1' },
        { type: 'function_call_output', call_id: 'call_1', output: 'noon' },
      ],
      store: false,
      include: ['reasoning.encrypted_content'],
    },
  },
  {
    wire: 'chat',
    model: 'some-model',
    first: chat(
      {
        content: null,
        reasoning: 'I need it.',
        reasoning_details: [THOUGHT],
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } }],
      },
      'tool_calls',
    ),
    second: chat({ content: 'Noon.' }, 'stop'),
    proof: {
      messages: [
        {},
        { reasoning_details: [THOUGHT], tool_calls: [{ id: 'call_1' }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
      ],
    },
  },
  {
    wire: 'converse',
    model: 'us.amazon.nova-2-lite-v1:0',
    first: {
      output: {
        message: {
          content: [
            { reasoningContent: { reasoningText: { text: 'I need it.', signature: 'bm92YQ==' } } },
            { toolUse: { toolUseId: 'tooluse_1', name: 'now', input: {} } },
          ],
        },
      },
      stopReason: 'tool_use',
    },
    second: { output: { message: { content: [{ text: 'Noon.' }] } }, stopReason: 'end_turn' },
    proof: {
      messages: [
        {},
        {
          content: [
            { reasoningContent: { reasoningText: { text: 'I need it.', signature: 'bm92YQ==' } } },
            { toolUse: { toolUseId: 'tooluse_1' } },
          ],
        },
        { content: [{ toolResult: { toolUseId: 'tooluse_1' } }] },
      ],
    },
  },
];

/** A client of the official package, whose calls are converted for one upstream, and what that upstream was sent. */
function connect({ wire, model, traits = {}, first, second }: Surface) {
  const sent: JsonObject[] = [];
  const dropped: string[] = [];
  const upstream = findCodec(WIRES[wire]);
  const fetch = (_: unknown, init?: RequestInit) => {
    const body = JSON.parse(String(init?.body)) as JsonObject;
    const request = openaiResponses.decodeRequest(body, 'm', body.stream === true);
    const client = findUpstreamProtocol('openai-responses');
    const context = { upstreamModel: model, channelType: 'some-channel', traits, client };
    sent.push(
      upstream.encodeRequest(request, { ...context, dropped: { add: (one) => void dropped.push(one) } }),
    );
    const reply = upstream.decodeReply(sent.length === 1 ? first : second);
    const replyContext = { model: 'm', includeUsage: true };
    if (!request.stream)
      return Promise.resolve(Response.json(openaiResponses.encodeReply(reply, replyContext)));
    const encoder = openaiResponses.createStreamEncoder(replyContext);
    const text = listEvents(reply)
      .map((event) => encoder.encode(event))
      .join('');
    return Promise.resolve(new Response(text, { headers: { 'content-type': 'text/event-stream' } }));
  };
  const client = new OpenAI({ apiKey: 'k', baseURL: 'http://gateway.test/v1', maxRetries: 0, fetch });
  return { client, sent, dropped };
}

type Client = ReturnType<typeof connect>['client'];
type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming;
const MODES: readonly (readonly [
  string,
  (client: Client, body: Body) => Promise<OpenAI.Responses.Response>,
])[] = [
  ['whole', (client, body) => client.responses.create(body)],
  ['streamed', (client, body) => client.responses.stream({ ...body, stream: true }).finalResponse()],
];

/** The conversation as a client keeps it: all that came, and what the tool said. */
function goOn({ output }: OpenAI.Responses.Response): OpenAI.Responses.ResponseInputItem[] {
  const call = output.find((item) => item.type === 'function_call');
  const result = { type: 'function_call_output' as const, call_id: call?.call_id ?? '', output: 'noon' };
  return [QUESTION, ...(output as OpenAI.Responses.ResponseInputItem[]), result];
}

describe.each(MODES)('a loop of calls with thoughts, %s', (_, ask) => {
  it.each(SURFACES)('brings back to $wire what it signed', async (surface) => {
    const { client, sent, dropped } = connect(surface);
    const body: Body = {
      model: 'm',
      input: [QUESTION],
      tools: [TOOL],
      reasoning: { effort: 'high' },
      store: false,
      include: ['reasoning.encrypted_content'],
    };
    const first = await ask(client, body);
    const thoughts = first.output.filter((item) => item.type === 'reasoning');
    expect(thoughts.flatMap(({ summary }) => summary.map(({ text }) => text))).toContain('I need it.');
    const second = await ask(client, { ...body, input: goOn(first) });
    expect(second.output_text).toBe('Noon.');
    expect(sent[1]).toMatchObject(surface.proof);
    expect(dropped.filter((field) => field.startsWith('messages'))).toEqual([]);
  });

  it.each(SURFACES)(
    'goes on at another upstream than $wire, whose thoughts stay out and are named',
    async (surface) => {
      const { client } = connect(surface);
      const body: Body = { model: 'm', input: [QUESTION], tools: [TOOL] };
      const first = await ask(client, body);
      for (const other of SURFACES.filter(({ wire }) => wire !== surface.wire)) {
        const elsewhere = connect(other);
        await ask(elsewhere.client, { ...body, input: goOn(first) });
        expect(JSON.stringify(elsewhere.sent)).not.toMatch(/c2ln|aGlk|Z29vZw|gAAA|bm92YQ|I need it/);
        expect(elsewhere.dropped).toContain('messages.thinking');
      }
    },
  );
});
