import { findCodec, findUpstreamProtocol, type ProtocolName } from '@mg/protocols';

const BODY_BYTES = 50 * 1_024;

/** A coding agent's request of 50 KB: turns of question, tool call, tool result and answer, behind a dozen of tools. */
export function buildAgentBody(protocol: ProtocolName): Buffer {
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
