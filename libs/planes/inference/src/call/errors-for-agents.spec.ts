import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedUpstream, startScriptedUpstream, writeEvents } from '../testing/scripted-upstream.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const MESSAGES = [{ role: 'user', content: 'hi' }];
const CHAT = { model: 'm', messages: MESSAGES, max_tokens: 20 };
const OVERFLOW = "This model's maximum context length is 400000 tokens.";

let upstream: ScriptedUpstream;
let gateway: SmallGateway;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
});
beforeEach(async () => {
  gateway = await startSmallGateway('agents');
  upstream.asked.length = 0;
});
afterEach(() => gateway.close());
afterAll(() => upstream.close());

function serve(type: string, upstreamModel = 'm', version = 'v1') {
  const models = new Map([['m', upstreamModel]]);
  const baseUrl = `${upstream.url}/${version}`;
  gateway.channels = [makeChannel('c', { type, baseUrl, apiKeys: ['sk-test'], models })];
}

async function post(path: string, body: unknown) {
  const answer = await gateway.post(path, body);
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text };
}

async function readError(path: string, body: unknown) {
  const { status, headers, text } = await post(path, body);
  return { status, headers, ...(JSON.parse(text) as { error: Record<string, unknown>; detail: object }) };
}

describe('clients 4: what an upstream found wrong', () => {
  const fail = (body: unknown, status = 400) => {
    upstream.answer = { status, body: JSON.stringify(body) };
  };

  it('has its code beside ours for clients of OpenAI', async () => {
    serve('openai');
    fail({ error: { message: 'Unknown voice.', type: 'invalid_request_error', code: 'invalid_voice' } });
    const { status, error, detail } = await readError('/v1/chat/completions', CHAT);
    expect([status, error.code, error.message]).toEqual([400, 'invalid_request', 'Unknown voice.']);
    expect(error.upstream_code).toBe('invalid_voice');
    expect(detail).toMatchObject({ upstream_code: 'invalid_voice', upstream_status: 400 });
  });

  it.each([
    ['openai', { message: OVERFLOW, code: 'context_length_exceeded' }],
    ['anthropic', { type: 'invalid_request_error', message: 'prompt is too long: 201000 tokens > 200000' }],
  ])('is a context that is too long, by %s', async (type, error) => {
    serve(type);
    fail({ type: 'error', error });
    expect((await readError('/v1/chat/completions', CHAT)).error.upstream_code).toBe(
      'context_length_exceeded',
    );
    const responses = { model: 'm', input: 'hi' };
    expect((await readError('/v1/responses', responses)).error.upstream_code).toBe('context_length_exceeded');
  });

  it('keeps its details for clients of Anthropic', async () => {
    serve('anthropic');
    const details = { error_code: 'tool_name_conflict', names: ['a'] };
    fail({ type: 'error', error: { type: 'invalid_request_error', message: 'No.', details } });
    expect((await readError('/v1/messages', CHAT)).error.details).toEqual(details);
  });

  it('shows no secret in them', async () => {
    serve('anthropic');
    const details = { hint: 'your key sk-ant-REDACTED is of another organisation' };
    fail({ type: 'error', error: { type: 'invalid_request_error', message: 'No.', details } });
    expect((await readError('/v1/messages', CHAT)).error).not.toHaveProperty('details');
  });

  it('says with RetryInfo when Google takes calls again', async () => {
    serve('gemini', 'gemini-2.5-flash', 'v1beta');
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.074824224s' }];
    fail({ error: { code: 429, message: 'Quota.', status: 'RESOURCE_EXHAUSTED', details } }, 429);
    const { status, headers } = await readError('/v1/chat/completions', CHAT);
    expect([status, headers.get('retry-after')]).toEqual([503, '35']);
  });
});

describe('clients 4: a response that failed', () => {
  const RESPONSES = { model: 'm', input: 'hi', stream: true };
  const created = { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } };
  const failed = (code: string, message: string) => ({
    type: 'response.failed',
    sequence_number: 2,
    response: { id: 'resp_1', status: 'failed', output: [], error: { code, message } },
  });

  it('reaches its client as such, with its code', async () => {
    serve('openai', 'gpt-5.6');
    upstream.answer = writeEvents(created, failed('context_length_exceeded', OVERFLOW));
    const { text } = await post('/v1/responses', RESPONSES);
    expect(text).not.toContain('event: error');
    const [, data = ''] = text.split('event: response.failed\ndata: ');
    expect(JSON.parse(data)).toMatchObject({
      sequence_number: 2,
      response: { id: 'resp_1', error: { code: 'context_length_exceeded' } },
    });
    await expect.poll(() => gateway.log[0]?.reason).toBe('upstream_failed');
  });

  it('has no code that is about our account', async () => {
    serve('openai', 'gpt-5.6');
    upstream.answer = writeEvents(created, failed('insufficient_quota', 'You exceeded your quota.'));
    expect((await post('/v1/responses', RESPONSES)).text).toContain('"code":"upstream_error"');
  });
});

describe('the error that ends a numbered stream', () => {
  const numbersOf = (text: string) =>
    [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));
  const RESPONSES = { model: 'm', input: 'hi', stream: true };

  it('has the next number where the stream was converted', async () => {
    serve('openai-compatible', 'm');
    const said = { id: 'c', choices: [{ index: 0, delta: { content: 'Hi' } }] };
    upstream.answer = { contentType: 'text/event-stream', body: `data: ${JSON.stringify(said)}\n\n` };
    const { text } = await post('/v1/responses', RESPONSES);
    const numbers = numbersOf(text);
    expect(text).toContain('event: error');
    expect(numbers.length).toBeGreaterThan(3);
    expect(numbers).toEqual(numbers.map((_, index) => index));
  });

  it("has the next number where the stream is the provider's", async () => {
    serve('openai', 'gpt-5.6');
    const created = { type: 'response.created', sequence_number: 0, response: { id: 'resp_1', output: [] } };
    const delta = { type: 'response.output_text.delta', sequence_number: 1, delta: 'Hi' };
    upstream.answer = writeEvents(created, delta);
    const { text } = await post('/v1/responses', RESPONSES);
    expect(numbersOf(text)).toEqual([0, 1, 2]);
  });
});

describe('clients 9: a model that thinks, behind a name that does not say so', () => {
  const answer = {
    id: 'c',
    model: 'gpt-5-2025-08-07',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };

  it('is asked as it wants, and what it does not take is named', async () => {
    serve('openai', 'gpt-5-2025-08-07');
    upstream.answer = { body: JSON.stringify(answer) };
    const { status, headers } = await post('/v1/chat/completions', { ...CHAT, temperature: 0 });
    expect([status, headers.get('x-gateway-dropped')]).toEqual([200, 'temperature']);
    expect(upstream.asked[0]?.body).toMatchObject({ max_completion_tokens: 20 });
    expect(upstream.asked[0]?.body).not.toHaveProperty('max_tokens');
  });
});

describe('clients 10: an edit of an image', () => {
  it('by a model that only makes images is a mistake of the caller, which no SDK sends again', async () => {
    serve('togetherai', 'black-forest-labs/FLUX.1-schnell');
    const catalog = gateway.context.catalog();
    const model = { ...catalog.models.get('m'), kind: 'image' };
    Object.assign(gateway.context, { catalog: () => ({ ...catalog, models: new Map([['m', model]]) }) });
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
    const image_url = `data:image/png;base64,${png.toString('base64')}`;
    const edit = { model: 'm', prompt: 'p', images: [{ image_url }] };
    const { status, error } = await readError('/v1/images/edits', edit);
    expect([status, error.param, error.code]).toEqual([400, 'image', 'invalid_request']);
  });
});
