import { GatewayError } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { readOpenAiVideo, readVideoForm } from './openai-videos.js';
import { readGenericVideoRequest } from './read-generic-request.js';

/** An order as clients send it in a form: every value is a text. */
async function readForm(fields: Readonly<Record<string, string>>) {
  const parts = Object.entries({ model: 'm', prompt: 'a cat', ...fields }).map(([name, text]) => ({
    name,
    bytes: Buffer.from(text),
  }));
  const pause = () => Promise.resolve();
  return readGenericVideoRequest(readOpenAiVideo(await readVideoForm(parts, pause))).order;
}

async function paramOf(fields: Readonly<Record<string, string>>): Promise<string | undefined> {
  try {
    await readForm(fields);
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') return error.param;
    throw error;
  }
  return 'nothing was refused';
}

describe('a form of the video API', () => {
  it('holds numbers and flags as texts', async () => {
    const given = {
      fps: '24',
      seed: '-9007199254740991',
      audio: 'true',
      n: '1',
      width: '1280',
      height: '720',
    };
    expect(await readForm(given)).toEqual({
      prompt: 'a cat',
      seconds: 4,
      fps: 24,
      seed: -9_007_199_254_740_991,
      audio: true,
      size: { width: 1280, height: 720 },
    });
    expect(await readForm({ generate_audio: 'false', duration: '6' })).toMatchObject({
      audio: false,
      seconds: 6,
    });
    expect(await readForm({ audio: '1' })).toMatchObject({ audio: true });
  });

  it('M5: holds no text of more than 256 KiB but the address of a picture, which is ASCII and at most 1 MiB', async () => {
    const address = `data:image/png;base64,${'A'.repeat(600_000)}`;
    const name = 'input_reference[image_url]';
    expect((await readForm({ [name]: address })).image === address).toBe(true);
    expect(await paramOf({ [name]: address.repeat(2) })).toBe(name);
    expect(await paramOf({ [name]: `${address}\u{1F600}` })).toBe(name);
    expect(await paramOf({ prompt: '\u{1F600}'.repeat(70_000) })).toBe('prompt');
  });

  it('keeps texts that look like numbers, and fields of a provider, as they are', async () => {
    const order = await readForm({ prompt: '1984', seconds: '8', guidance: '7', negative_prompt: 'true' });
    expect(order).toEqual({
      prompt: '1984',
      seconds: 8,
      negativePrompt: 'true',
      extra: { guidance: '7' },
    });
  });

  it.each([
    { fps: '24.0' },
    { fps: '2.4e1' },
    { fps: '0x18' },
    { fps: ' 24' },
    { fps: '+24' },
    { fps: '024' },
    { fps: '' },
    { fps: '２４' },
    { fps: '241' },
    { fps: 'null' },
    { seed: '9007199254740993' },
    { seed: '1'.repeat(40) },
    { seed: 'Infinity' },
    { width: '1280px', height: '720' },
    { audio: 'yes' },
    { audio: 'TRUE' },
    { audio: '' },
    { n: '2' },
    { duration: '0' },
  ])('with %j is refused for the first of them', async (fields) => {
    expect(await paramOf(fields)).toBe(Object.keys(fields)[0]);
  });
});
