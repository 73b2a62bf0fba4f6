import { findCodec, findUpstreamProtocol, type ProtocolName } from '@mg/protocols';
import { percentile } from './statistics.js';

/** One request's way out of the client's protocol into another, as the gateway goes it. */
export interface ConversionTime {
  readonly from: ProtocolName;
  readonly to: ProtocolName;
  readonly bodyBytes: number;
  /** From the body's bytes to the bytes for the upstream, in milliseconds. */
  readonly ms: number;
}

const BODY_BYTES = 50 * 1_024;
const WARM_UP_RUNS = 200;
const RUNS = 200;
const PAIRS: readonly (readonly [ProtocolName, ProtocolName])[] = [
  ['openai-chat', 'anthropic-messages'],
  ['anthropic-messages', 'openai-chat'],
  ['openai-chat', 'gemini-generate'],
  ['openai-chat', 'openai-responses'],
];

/**
 * Converts a coding agent's request of 50 KB between protocols, again and again in this process. Of many runs the
 * fastest tenth counts: whatever else the machine does can only make one slower.
 */
export function measureConversions(): ConversionTime[] {
  return PAIRS.map(([from, to]) => {
    const body = buildAgentBody(from);
    const runs: number[] = [];
    for (let run = -WARM_UP_RUNS; run < RUNS; run++) {
      const startMs = performance.now();
      convert(body, from, to);
      if (run >= 0) runs.push(performance.now() - startMs);
    }
    return { from, to, bodyBytes: body.length, ms: percentile(runs, 0.1) };
  });
}

function convert(body: Buffer, from: ProtocolName, to: ProtocolName): Buffer {
  const parsed = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  const request = findCodec(from).decodeRequest(parsed, 'some-model', true);
  const encoded = findCodec(to).encodeRequest(request, {
    upstreamModel: 'some-model',
    channelType: 'bench',
    traits: {},
    client: findUpstreamProtocol(from),
    dropped: { add: () => undefined },
  });
  return Buffer.from(JSON.stringify(encoded));
}

/** Turns of question, tool call, tool result and answer, behind a dozen of tools. */
function buildAgentBody(protocol: ProtocolName): Buffer {
  const request = findCodec('openai-chat').decodeRequest(
    { model: 'some-model', max_tokens: 4_096, tools: buildTools(), messages: buildTurns() },
    'some-model',
    true,
  );
  const context = {
    upstreamModel: 'some-model',
    channelType: 'bench',
    traits: {},
    client: findUpstreamProtocol('openai-chat'),
    dropped: { add: () => undefined },
  };
  return Buffer.from(JSON.stringify(findCodec(protocol).encodeRequest(request, context)));
}

function buildTools() {
  return Array.from({ length: 12 }, (_, index) => ({
    type: 'function',
    function: {
      name: `tool_${index}`,
      description: 'Reads a file of the project and answers with its text. '.repeat(8),
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'The path of the file.' },
          lines: { type: 'array', items: { type: 'integer' } },
        },
        required: ['path'],
      },
    },
  }));
}

function buildTurns(): Record<string, unknown>[] {
  const messages: Record<string, unknown>[] = [{ role: 'system', content: 'You write code. '.repeat(100) }];
  let bytes = 0;
  for (let turn = 0; bytes < BODY_BYTES * 0.8; turn++) {
    const id = `call_${turn}`;
    const asked = { name: `tool_${turn % 12}`, arguments: `{"path":"src/file-${turn}.ts","lines":[1,2]}` };
    const text = `const line_${turn} = "text of a file";\n`.repeat(40);
    messages.push(
      { role: 'user', content: `Please look at file ${turn} and tell me what is wrong with it.` },
      { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: asked }] },
      { role: 'tool', tool_call_id: id, content: text },
      { role: 'assistant', content: `File ${turn} is fine, but for the name of its first line.` },
    );
    bytes += text.length + 600;
  }
  return messages;
}
