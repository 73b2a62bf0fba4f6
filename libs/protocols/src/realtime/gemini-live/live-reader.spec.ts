import { describe, expect, it } from 'vitest';
import type { RealtimeServerEvent } from '../session-protocol.js';
import { geminiLive } from './gemini-live.js';

const CONTENT = { serverContent: { modelTurn: { parts: [{ text: 'Hm.' }] } } };
const COMPLETE = { serverContent: { turnComplete: true } };
const CALL = { toolCall: { functionCalls: [] } };

function use(tokens: number): object {
  return { usageMetadata: { promptTokenCount: tokens, responseTokenCount: 1 } };
}

/** What a session is charged: input tokens of each turn, `undefined` where they are to be estimated. */
function readCharges(messages: readonly object[], model = 'gemini-3.1-live') {
  return readAll(messages, model).flatMap((event) => (event.kind === 'response-ended' ? [event.usage] : []));
}

function readAll(messages: readonly object[], model: string): readonly RealtimeServerEvent[] {
  const reader = geminiLive.openReader(model);
  return messages.flatMap((message) => reader.read(Buffer.from(JSON.stringify(message))) ?? []);
}

describe('the turns of a Live API', () => {
  it.each<[string, readonly object[], readonly (number | undefined)[]]>([
    ['whose usage comes with its end', [CONTENT, { ...COMPLETE, ...use(7) }], [7]],
    ['whose usage comes before its end', [CONTENT, use(7), COMPLETE], [7]],
    ['whose usage comes after its end', [CONTENT, COMPLETE, use(7)], [7]],
    ['whose usage comes after its end and something else', [CONTENT, COMPLETE, { goAway: {} }, use(7)], [7]],
    ['whose usage grows', [{ ...CONTENT, ...use(5) }, use(6), { ...COMPLETE, ...use(7) }], [7]],
    ['whose usage is told once more', [CONTENT, { ...COMPLETE, ...use(7) }, use(7), COMPLETE], [7]],
    ['whose usage is never told', [CONTENT, COMPLETE, CONTENT, { ...COMPLETE, ...use(9) }], [undefined, 9]],
    [
      'that was interrupted',
      [CONTENT, { serverContent: { interrupted: true } }, { ...COMPLETE, ...use(7) }, CONTENT],
      [7],
    ],
    ['that says nothing', [{ ...COMPLETE, ...use(7) }], [7]],
    ['that is not answered', [use(7), use(8)], [7, 8]],
    ['that is empty', [COMPLETE], []],
    ['that calls a function', [{ ...CALL, ...use(7) }, CONTENT, { ...COMPLETE, ...use(9) }], [7, 9]],
    ['that calls, and tells its usage then', [CALL, use(7), CONTENT, { ...COMPLETE, ...use(9) }], [7, 9]],
    ['that calls, and tells its usage at its end', [CALL, CONTENT, { ...COMPLETE, ...use(9) }], [9]],
    [
      'that is transcribed after its end',
      [CONTENT, { ...COMPLETE, ...use(7) }, { serverContent: { outputTranscription: { text: 'Hm.' } } }],
      [7],
    ],
  ])('%s are charged once', (_, messages, tokens) => {
    expect(readCharges(messages).map((usage) => usage?.inputTokens)).toEqual(tokens);
  });

  it('counts each query once, and for earlier models the turn', () => {
    const grounded = { serverContent: { groundingMetadata: { webSearchQueries: ['a', 'b', 'a'] } } };
    const turn = [CONTENT, grounded, grounded, { ...COMPLETE, ...use(7) }];
    expect(readCharges(turn)[0]?.webSearches).toBe(2);
    expect(readCharges(turn, 'gemini-2.5-flash-native-audio')[0]?.webSearches).toBe(1);
  });

  it('tells kinds of tokens apart; what none is told of is text, and cached tokens are cached alone', () => {
    const usageMetadata = {
      promptTokenCount: 522,
      cachedContentTokenCount: 100,
      responseTokenCount: 42,
      thoughtsTokenCount: 136,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 332 },
        { modality: 'AUDIO', tokenCount: 155 },
        { modality: 'VIDEO', tokenCount: 10 },
      ],
      cacheTokensDetails: [
        { modality: 'TEXT', tokenCount: 70 },
        { modality: 'AUDIO', tokenCount: 30 },
      ],
      responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 42 }],
    };
    expect(readCharges([CONTENT, { ...COMPLETE, usageMetadata }])[0]).toMatchObject({
      inputTokens: 522,
      cachedInputTokens: 100,
      audioInputTokens: 125,
      imageInputTokens: 10,
      outputTokens: 178,
      reasoningTokens: 136,
      audioOutputTokens: 42,
    });
  });

  it.each([{ promptTokenCount: -1 }, { promptTokenCount: 1e300 }, { promptTokenCount: '7' }, []])(
    'takes %j for no usage',
    (usageMetadata) => {
      expect(readCharges([CONTENT, { ...COMPLETE, usageMetadata }, CONTENT])[0]).toBeUndefined();
    },
  );

  it.each([
    [1007, 'API key not valid. Please pass a valid API key.', 401],
    [1011, 'You exceeded your current quota, please check your plan.', 429],
    [1008, 'models/x is not found for API version v1beta, or is not supported.', 404],
    [1007, 'Request contains an invalid argument.', 400],
    [1007, 'Invalid voice: You exceeded your current quota', 400],
    [1011, 'Internal error encountered.', undefined],
    [1006, '', undefined],
    [1000, 'bye', undefined],
  ])('closed by %i %j mean status %s', (code, reason, status) => {
    expect(geminiLive.statusOfClose({ code, reason })).toBe(status);
  });
});
