import { type JsonObject, parseObject, splitForm, type WholePart } from '@mg/protocols';
import type { ExchangeSurface, LocalAnswer, LocalRequest } from '../descriptor.js';
import { drawImage } from './draw-image.js';
import { isTooLarge, TOO_LARGE } from './limits.js';
import { Pace } from './pace.js';
import { replyInSteps, replyWith } from './reply.js';
import { countTokens } from './tokens.js';

const DEFAULT_SIDE = 1_024;
const TOKENS_PER_IMAGE = 272;
const TOKENS_PER_INPUT = 194;
const SIZE = /^(\d{1,5})x(\d{1,5})$/;
/** Where a PNG has its width, and then its height. */
const PNG_WIDTH_AT = 16;
const PNG_HEADER_BYTES = 24;
/** A word that is refused, so that a refusal can be seen. */
const REFUSED = /\bviolence\b/i;

interface Order {
  readonly task: 'generation' | 'edit';
  readonly prompt: string;
  readonly count: number;
  readonly width: number;
  readonly height: number;
  readonly quality: string;
  readonly inputs: number;
  readonly stream: boolean;
  readonly partials: number;
}

/** Draws a pattern that is always the same for the same prompt, with a label across it. */
const answerImages: LocalAnswer = (request) => {
  if (request.contentType === undefined && isTooLarge(request.body)) {
    return replyWith(413, { error: { message: TOO_LARGE, type: 'image_generation_user_error' } });
  }
  const order = readOrder(request);
  if (REFUSED.test(order.prompt)) {
    const message = 'Your request was rejected by the safety system (simulated).';
    return replyWith(400, {
      error: { message, type: 'image_generation_user_error', code: 'moderation_blocked' },
    });
  }
  if (order.stream) {
    const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
    return { status: 200, headers, chunks: streamImages(order, request.signal) };
  }
  const facts = { ...describe(order), usage: countUsage(order, order.count) };
  return replyInSteps(async function* () {
    yield `{"created":${Math.floor(Date.now() / 1_000)},"data":[`;
    for (let index = 0; index < order.count; index += 1) {
      const image = { b64_json: draw(order, index, 1), revised_prompt: `Simulated: ${order.prompt}` };
      yield (index === 0 ? '' : ',') + JSON.stringify(image);
    }
    yield `],${JSON.stringify(facts).slice(1)}`;
  });
};

/** What the sandbox does with images. */
export const imageExchanges: readonly ExchangeSurface[] = (
  [
    ['image-generation', '/images/generations'],
    ['image-edit', '/images/edits'],
    ['image-variation', '/images/variations'],
  ] as const
).map(([operation, path]) => ({
  operation,
  protocol: 'openai-images',
  path: () => path,
  authorize: () => ({}),
  answer: answerImages,
}));

async function* streamImages(order: Order, signal: AbortSignal): AsyncGenerator<Buffer> {
  const pace = new Pace(signal);
  const type = order.task === 'generation' ? 'image_generation' : 'image_edit';
  const facts = { created_at: Math.floor(Date.now() / 1_000), ...describe(order) };
  try {
    for (let index = 0; index < order.count; index += 1) {
      for (let partial = 0; partial < order.partials; partial += 1) {
        if (!(await pace.next())) return;
        const b64 = draw(order, index, (partial + 1) / (order.partials + 1));
        yield writeEvent(`${type}.partial_image`, { b64_json: b64, partial_image_index: partial, ...facts });
      }
      if (!(await pace.next())) return;
      const usage = countUsage(order, 1);
      yield writeEvent(`${type}.completed`, { b64_json: draw(order, index, 1), ...facts, usage });
    }
  } finally {
    pace.end();
  }
}

function readOrder({ body, contentType = '', path }: LocalRequest): Order {
  const parts = splitForm(contentType, body);
  const parsed = parts.length > 0 ? {} : (parseObject(body.toString('utf8')) ?? {});
  const field = (name: string) =>
    parts.find((part) => part.name === name)?.bytes.toString('utf8') ?? parsed[name];
  const imageParts = parts.filter(({ name }) => name.startsWith('image'));
  const listed = Array.isArray(parsed.images) ? parsed.images.length : 0;
  return {
    task: path.includes('generations') ? 'generation' : 'edit',
    prompt: String(field('prompt') ?? ''),
    count: Number(field('n') ?? 1),
    ...readSize(field('size'), imageParts[0]),
    quality: String(field('quality') ?? 'low'),
    inputs: imageParts.length + listed,
    stream: String(field('stream')) === 'true',
    partials: Number(field('partial_images') ?? 0),
  };
}

/** The size asked for, else that of the image to work on. */
function readSize(size: unknown, image: WholePart | undefined): { width: number; height: number } {
  const [, width, height] = SIZE.exec(String(size)) ?? [];
  if (width !== undefined) return { width: Number(width), height: Number(height) };
  return image && image.bytes.length >= PNG_HEADER_BYTES
    ? {
        width: image.bytes.readUInt32BE(PNG_WIDTH_AT),
        height: image.bytes.readUInt32BE(PNG_WIDTH_AT + 4),
      }
    : { width: DEFAULT_SIDE, height: DEFAULT_SIDE };
}

function draw({ prompt, width, height, task }: Order, index: number, progress: number): string {
  return drawImage({ prompt, width, height, index, progress, edited: task === 'edit' }).toString('base64');
}

function describe({ width, height, quality }: Order): JsonObject {
  return { background: 'opaque', output_format: 'png', quality, size: `${width}x${height}` };
}

function countUsage({ prompt, inputs }: Order, images: number): JsonObject {
  const text = countTokens(prompt);
  const image = inputs * TOKENS_PER_INPUT;
  const output = images * TOKENS_PER_IMAGE;
  return {
    input_tokens: text + image,
    input_tokens_details: { text_tokens: text, image_tokens: image },
    output_tokens: output,
    total_tokens: text + image + output,
  };
}

function writeEvent(type: string, event: JsonObject): Buffer {
  return Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`);
}
