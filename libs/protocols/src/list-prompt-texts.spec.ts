import { describe, expect, it } from 'vitest';
import { type ClientProtocolName, findChatProtocol } from './chat/chat-protocols.js';
import { runAtOnce } from './canonical/steps.js';
import type { JsonObject } from './json.js';

const schema = (text: string) => ({ type: 'object', description: text });

/** Words of a request that stand where a model reads them, and its provider bills them. */
const REQUESTS: readonly (readonly [ClientProtocolName, JsonObject])[] = [
  [
    'openai-chat',
    {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'W1' }] },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'W2' }], reasoning_content: 'W3' },
        { role: 'assistant', function_call: { name: 'f', arguments: 'W4' } },
        { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: 'W5' } }] },
      ],
      tools: [{ type: 'function', function: { name: 'f', description: 'W6' } }],
      functions: [{ name: 'g', description: 'W7' }],
      response_format: { type: 'json_schema', json_schema: { name: 's', schema: schema('W8') } },
    },
  ],
  [
    'openai-responses',
    {
      instructions: 'W1',
      input: [
        { type: 'function_call_output', call_id: 'c', output: 'W2' },
        { type: 'shell_call_output', call_id: 'c', output: [{ stdout: 'W3', stderr: 'W4' }] },
        { type: 'local_shell_call', action: { type: 'exec', command: ['W5'] } },
        { type: 'mcp_list_tools', tools: [{ name: 't', description: 'W6' }] },
        { type: 'apply_patch_call', operation: { type: 'update_file', diff: 'W7' } },
      ],
      text: { format: { type: 'json_schema', name: 's', schema: schema('W8') } },
    },
  ],
  [
    'anthropic-messages',
    {
      system: 'W1',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'search_result', source: 'W2', title: 'W3', content: [{ type: 'text', text: 'W4' }] },
            { type: 'document', context: 'W5', source: { type: 'text', data: 'W6' } },
            { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'W7' }] },
          ],
        },
      ],
      output_config: { format: { type: 'json_schema', schema: schema('W8') } },
    },
  ],
  [
    'gemini-generate',
    {
      contents: [
        { role: 'user', parts: [{ text: 'W1' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'W2' } } }] },
        { role: 'model', parts: [{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'W3' } }] },
      ],
      systemInstruction: { parts: [{ text: 'W4' }] },
      tools: [{ functionDeclarations: [{ name: 'f', description: 'W5' }] }],
      generationConfig: { responseSchema: schema('W6'), responseJsonSchema: schema('W7') },
    },
  ],
];

describe('T18: texts of a prompt whose usage nobody reports', () => {
  it.each(REQUESTS)('%s: are counted wherever they stand', (name, request) => {
    const words = JSON.stringify(request).match(/W\d/g) ?? [];
    const counted = runAtOnce(findChatProtocol(name).listPromptTexts(request)).join('\n');
    expect(words.filter((word) => !counted.includes(word))).toEqual([]);
  });
});
