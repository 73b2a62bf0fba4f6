import { NO_USAGE } from '@mg/contract';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { findCodec } from '../chat/chat-protocols.js';
import type { ImageReply, ImageRequest } from '../images/image.js';
import { openAiImageClient } from '../images/openai-images.js';
import type { JsonObject } from '../json.js';
import { JoinedText, joinTexts } from './joined-text.js';
import { stringifyInSlices } from './stringify-in-slices.js';

const LONG = '漢\n"😀'.repeat(20_000);
const pause = () => Promise.resolve();

describe('texts that are joined where they are written', () => {
  it('are one text where they are short, or only one', () => {
    expect(joinTexts(['a', 'b'])).toBe('ab');
    expect(joinTexts([])).toBe('');
    expect(joinTexts([LONG])).toBe(LONG);
  });

  it('come out as the one text would, in steps and at once', async () => {
    const units = fc.constantFrom('a', '😀', '\ud83d', '\ude00', '"\\', LONG, '');
    await fc.assert(
      fc.asyncProperty(fc.array(units, { maxLength: 8 }), async (texts) => {
        const value = { before: 1, list: [joinTexts([LONG, ...texts])], text: joinTexts(texts) };
        const plain = { before: 1, list: [[LONG, ...texts].join('')], text: texts.join('') };
        expect(JSON.parse((await stringifyInSlices(value, pause)).toString())).toEqual(plain);
        expect(JSON.stringify(value)).toBe(JSON.stringify(plain));
      }),
      { numRuns: 40 },
    );
  });
});

describe('M5: what an answer holds in pieces is not copied into one text', () => {
  const blocks = Array.from({ length: 100 }, () => LONG);
  const chat = findCodec('openai-chat');
  const context = { model: 'm', includeUsage: true };
  const encode = (parts: readonly JsonObject[]) => {
    const reply = findCodec('gemini-generate').decodeReply({
      candidates: [{ content: { parts }, finishReason: 'STOP' }],
    });
    const { choices } = chat.encodeReply(reply, context) as { choices: [{ message: JsonObject }] };
    return choices[0].message;
  };

  it('texts and thoughts for clients of chats', () => {
    const { content, reasoning_content } = encode([
      ...blocks.map((text) => ({ text })),
      ...blocks.map((text) => ({ text, thought: true })),
    ]);
    expect(content).toBeInstanceOf(JoinedText);
    expect(reasoning_content).toBeInstanceOf(JoinedText);
    expect(JSON.stringify([content, reasoning_content])).toBe(
      JSON.stringify([blocks.join(''), blocks.join('')]),
    );
  });

  it('a picture and what stands before it in its address', () => {
    const data = 'QUJD'.repeat(100_000);
    const { images } = encode([{ inlineData: { mimeType: 'image/png', data } }, { text: 'a' }]);
    expect(images).toMatchObject([{ image_url: { url: { pieces: ['data:image/png;base64,', data] } } }]);
  });

  it('a picture and the link to it for clients of messages', () => {
    const data = 'QUJD'.repeat(100_000);
    const parts = [{ inlineData: { mimeType: 'image/png', data } }];
    const reply = findCodec('gemini-generate').decodeReply({
      candidates: [{ content: { parts }, finishReason: 'STOP' }],
    });
    const pieces = ['![image](', 'data:image/png;base64,', data, ')'];
    expect(findCodec('anthropic-messages').encodeReply(reply, context)).toMatchObject({
      content: [{ type: 'text', text: { pieces } }],
    });
  });

  it('an image and its address for clients of the images API', async () => {
    const base64 = 'QUJD'.repeat(100_000);
    const reply = { created: 1, images: [{ base64 }], usage: NO_USAGE, facts: {} } as unknown as ImageReply;
    const answer = openAiImageClient.encodeReply(reply, { format: 'url' } as ImageRequest);
    const shown = { data: [{ url: `data:image/png;base64,${base64}` }] };
    expect(JSON.parse(String(await answer.writeInSlices?.(pause)))).toMatchObject(shown);
    // What is written at once has the pieces joined, and shows that there are pieces.
    const joined = vi.spyOn(JoinedText.prototype, 'toJSON');
    expect(JSON.parse(String(answer.bytes))).toMatchObject(shown);
    expect(joined).toHaveBeenCalledOnce();
    joined.mockRestore();
  });

  it('parts of a content, which are one text where they are short', () => {
    const decode = (text: string) => {
      const content = Array.from({ length: 20 }, () => ({ type: 'text', text }));
      return chat.decodeReply({ choices: [{ message: { content }, finish_reason: 'stop' }] }).choices;
    };
    expect(decode('ab')).toMatchObject([{ blocks: [{ type: 'text', text: 'ab'.repeat(20) }] }]);
    expect(decode(LONG)).toMatchObject([{ blocks: Array.from({ length: 20 }, () => ({ text: LONG })) }]);
  });
});
