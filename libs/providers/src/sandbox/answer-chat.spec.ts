import { describe, expect, it } from 'vitest';
import { answerChat } from './answer-chat.js';

const messages = [{ role: 'user', content: 'How is the weather in Paris?' }];

interface Completion {
  choices: {
    index: number;
    finish_reason: string;
    logprobs: { content: { token: string; top_logprobs: unknown[] }[] } | null;
    message: {
      content: string | null;
      tool_calls?: { id: string; function: { name: string; arguments: string } }[];
    };
  }[];
  usage: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
    prompt_tokens_details: { cached_tokens: number };
    completion_tokens_details: { reasoning_tokens: number };
  };
  system_fingerprint: string;
  error?: { message: string; param: string | null; type: string };
}

async function ask(body: unknown): Promise<{ status: number; body: Completion }> {
  const bytes = typeof body === 'string' ? body : JSON.stringify(body);
  const reply = answerChat({
    body: Buffer.from(bytes),
    path: '/chat/completions',
    signal: new AbortController().signal,
  });
  return { status: reply.status, body: JSON.parse(await collect(reply.chunks)) as Completion };
}

function complete(extra: Record<string, unknown> = {}): Promise<{ status: number; body: Completion }> {
  return ask({ model: 'sandbox-chat', messages, ...extra });
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk.toString();
  return text;
}

function stream(extra: Record<string, unknown>, signal = new AbortController().signal) {
  const body = Buffer.from(JSON.stringify({ model: 'sandbox-chat', messages, stream: true, ...extra }));
  return answerChat({ body, path: '/chat/completions', signal });
}

interface Chunk {
  choices: {
    index: number;
    delta: { content?: string; tool_calls?: { function: { name?: string; arguments: string } }[] };
    finish_reason: string | null;
  }[];
  usage?: { completion_tokens: number } | null;
}

async function readChunks(chunks: AsyncIterable<Buffer>): Promise<Chunk[]> {
  const events = (await collect(chunks)).split('\n\n');
  expect(events.slice(-2)).toEqual(['data: [DONE]', '']);
  return events.slice(0, -2).map((event) => JSON.parse(event.replace(/^data: /, '')) as Chunk);
}

const weatherTool = {
  type: 'function',
  function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
};
const clockTool = { type: 'function', function: { name: 'read_clock' } };

describe('a whole answer', () => {
  it('says that it is simulated and reports usage that adds up', async () => {
    const { status, body } = await complete();
    expect(status).toBe(200);
    expect(body.system_fingerprint).toBe('sandbox');
    expect(body.choices[0]?.message.content).toContain('Simulated');
    expect(body.choices[0]?.message.content).toContain('weather in Paris');
    expect(body.usage.total_tokens).toBe(body.usage.prompt_tokens + body.usage.completion_tokens);
  });

  it('is the same for the same question', async () => {
    const [first, second] = [await complete(), await complete()];
    expect(first.body.choices).toEqual(second.body.choices);
    expect(first.body.usage).toEqual(second.body.usage);
  });

  it.each(['max_tokens', 'max_completion_tokens'])('stops at %s', async (field) => {
    const { body } = await complete({ [field]: 6 });
    expect(body.choices[0]?.finish_reason).toBe('length');
    expect(body.usage.completion_tokens).toBe(6);
  });

  it('stops before a stop sequence', async () => {
    const { body } = await complete({ stop: ['no model'] });
    expect(body.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: 'Simulated answer from the sandbox: ' },
    });
  });

  it('gives n choices and bills them all', async () => {
    const [one, three] = [await complete(), await complete({ n: 3 })];
    expect(three.body.choices.map((choice) => choice.index)).toEqual([0, 1, 2]);
    expect(three.body.usage.completion_tokens).toBeGreaterThan(2 * one.body.usage.completion_tokens);
  });

  it('acknowledges images', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } };
    const content = [{ type: 'text', text: 'Look' }, image, image];
    const { body } = await complete({ messages: [{ role: 'user', content }] });
    expect(body.choices[0]?.message.content).toContain('I received 2 images.');
  });

  it('counts reasoning inside the completion, and long instructions as cached', async () => {
    const instructions = { role: 'system', content: 'Be brief. '.repeat(600) };
    const { body } = await complete({ messages: [instructions, ...messages], reasoning_effort: 'medium' });
    expect(body.usage.completion_tokens_details.reasoning_tokens).toBe(128);
    expect(body.usage.completion_tokens).toBeGreaterThan(128);
    expect(body.usage.prompt_tokens_details.cached_tokens).toBe(1_408);
  });

  it('gives log probabilities when asked', async () => {
    const { body } = await complete({ logprobs: true, top_logprobs: 2 });
    const { content } = body.choices[0]?.logprobs ?? { content: [] };
    expect(content.map((entry) => entry.token).join('')).toBe(body.choices[0]?.message.content);
    expect(content[0]?.top_logprobs).toHaveLength(2);
  });
});

describe('tools', () => {
  it('calls the tool that the question is about, with arguments of its schema', async () => {
    const { body } = await complete({ tools: [clockTool, weatherTool] });
    const [choice] = body.choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    expect(choice?.message.content).toBeNull();
    expect(choice?.message.tool_calls?.[0]?.function).toEqual({
      name: 'get_weather',
      arguments: '{"city":"Paris"}',
    });
  });

  it('obeys the choice of tools', async () => {
    const forced = { type: 'function', function: { name: 'read_clock' } };
    const first = await complete({ tools: [weatherTool, clockTool], tool_choice: forced });
    expect(first.body.choices[0]?.message.tool_calls?.[0]?.function.name).toBe('read_clock');
    const second = await complete({ tools: [weatherTool], tool_choice: 'none' });
    expect(second.body.choices[0]?.message.tool_calls).toBeUndefined();
  });

  it('uses the result in the next turn', async () => {
    const result = { role: 'tool', tool_call_id: 'call_1', content: '18 degrees' };
    const { body } = await complete({ tools: [weatherTool], messages: [...messages, result] });
    expect(body.choices[0]?.message.content).toContain('18 degrees');
  });
});

describe('structured output', () => {
  it('fits the schema', async () => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' }, degrees: { type: 'integer', minimum: 5 } },
      required: ['city', 'degrees'],
      additionalProperties: false,
    };
    const { body } = await complete({
      response_format: { type: 'json_schema', json_schema: { name: 'weather', schema, strict: true } },
    });
    expect(JSON.parse(body.choices[0]?.message.content ?? '')).toEqual({ city: 'Paris', degrees: 5 });
  });

  it('is an object for json_object', async () => {
    const { body } = await complete({ response_format: { type: 'json_object' } });
    expect(JSON.parse(body.choices[0]?.message.content ?? '')).toMatchObject({ simulated: true });
  });
});

describe('a stream', () => {
  it('says what the whole answer says and reports usage only when asked', async () => {
    const whole = await complete({ max_tokens: 30 });
    const asked = await readChunks(
      stream({ max_tokens: 30, stream_options: { include_usage: true } }).chunks,
    );
    const text = asked.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
    expect(text).toBe(whole.body.choices[0]?.message.content);
    expect(asked.at(-2)?.choices[0]?.finish_reason).toBe('length');
    expect(asked.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 30 } });
    const unasked = await readChunks(stream({ max_tokens: 5 }).chunks);
    expect(unasked.some((chunk) => 'usage' in chunk)).toBe(false);
  });

  it('sends tool arguments in fragments', async () => {
    const chunks = await readChunks(stream({ tools: [weatherTool] }).chunks);
    const calls = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    expect(calls[0]?.function.name).toBe('get_weather');
    expect(JSON.parse(calls.map((call) => call.function.arguments).join(''))).toEqual({ city: 'Paris' });
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('stops when the signal aborts', async () => {
    const controller = new AbortController();
    let events = 0;
    for await (const _ of stream({}, controller.signal).chunks) {
      events += 1;
      if (events === 3) controller.abort();
    }
    expect(events).toBe(3);
  });
});

describe('a bad body', () => {
  it.each([
    ['{"model":', null],
    ['[]', null],
    [{ messages }, 'model'],
    [{ model: 'sandbox-chat' }, 'messages'],
    [{ model: 'sandbox-chat', messages: [{ role: 'king', content: 'hi' }] }, 'messages[0].role'],
    [{ model: 'sandbox-chat', messages, n: -1 }, 'n'],
    [{ model: 'sandbox-chat', messages, max_tokens: 0 }, 'max_tokens'],
    [{ model: 'sandbox-chat', messages, temperature: 7 }, 'temperature'],
    [{ model: 'sandbox-chat', messages, stream: 'yes' }, 'stream'],
  ])('%j is refused with the field to blame', async (body, param) => {
    const answer = await ask(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ type: 'invalid_request_error', param });
  });
});
