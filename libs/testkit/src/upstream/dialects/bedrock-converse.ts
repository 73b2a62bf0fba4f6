import { type Choice, joinPieces } from '../answer.js';
import type { Billed } from '../usage.js';
import {
  describeBedrockError,
  describeBedrockException,
  matchBedrockPath,
  readBedrockKey,
} from './bedrock.js';
import { readConverseRequest, signConverse } from './converse-request.js';
import { type Dialect, silentEvent, type StreamEvent, type AnswerContext } from './dialect.js';

/** Converse, in which Bedrock speaks for models of every maker, in frames that name each event. */
export const bedrockConverse: Dialect = {
  path: /^\/model\/[^/]+\/converse(?:-stream)?$/,
  style: { done: false, frames: 'named' },
  readKey: readBedrockKey,
  readModel: ({ path }) => matchBedrockPath(path).model,
  readRequest: readConverseRequest,
  composeEvents,
  describeAnswer,
  describeError: describeBedrockError,
  describeErrorEvent: describeBedrockException,
};

const STOP_REASONS = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' } as const;

function describeAnswer({ answer, billed }: AnswerContext): unknown {
  const [choice] = answer.choices;
  return {
    metrics: { latencyMs: 12 },
    output: { message: { content: choice ? listBlocks(choice) : [], role: 'assistant' } },
    stopReason: choice ? STOP_REASONS[choice.finishReason] : 'end_turn',
    usage: describeUsage(billed),
  };
}

/** Input leaves out what the cache had or got; output includes reasoning. */
function describeUsage(billed: Readonly<Billed>) {
  const { promptTokens, cachedTokens, cacheWriteTokens, completionTokens } = billed;
  return {
    cacheReadInputTokens: cachedTokens,
    cacheWriteInputTokens: cacheWriteTokens,
    inputTokens: promptTokens - cachedTokens - cacheWriteTokens,
    outputTokens: completionTokens,
    serverToolUsage: {},
    totalTokens: promptTokens + completionTokens,
  };
}

function listBlocks({ reasoning, text, toolCalls }: Choice): unknown[] {
  const thought = joinPieces(reasoning);
  const reasoningText = { text: thought, signature: signConverse(thought) };
  return [
    ...(thought === '' ? [] : [{ reasoningContent: { reasoningText } }]),
    ...(text.length === 0 ? [] : [{ text: joinPieces(text) }]),
    ...toolCalls.map((call) => ({
      toolUse: {
        toolUseId: nameCall(call.id),
        name: call.name,
        input: JSON.parse(joinPieces(call.fragments)) as unknown,
      },
    })),
  ];
}

function nameCall(id: string): string {
  return id.replace('call_', 'tooluse_');
}

function* composeEvents({ answer, billed }: AnswerContext): Generator<StreamEvent> {
  yield silentEvent({ p: 'abcdefgh', role: 'assistant' }, 'messageStart');
  const [choice] = answer.choices;
  let contentBlockIndex = 0;
  for (const block of choice ? listStreamedBlocks(choice) : []) {
    if (block.start) {
      yield silentEvent({ contentBlockIndex, p: 'ab', start: block.start }, 'contentBlockStart');
    }
    for (const { delta, ...produced } of block.deltas) {
      const body = { contentBlockIndex, delta, p: 'abc' };
      yield { ...silentEvent(body, 'contentBlockDelta'), ...produced };
    }
    yield silentEvent({ contentBlockIndex, p: 'abcd' }, 'contentBlockStop');
    contentBlockIndex += 1;
  }
  const stopReason = choice ? STOP_REASONS[choice.finishReason] : 'end_turn';
  yield silentEvent({ p: 'abcde', stopReason }, 'messageStop');
  yield silentEvent({ metrics: { latencyMs: 12 }, p: 'a', usage: describeUsage(billed) }, 'metadata');
}

interface StreamedBlock {
  /** Only calls open with an event of their own. */
  readonly start?: unknown;
  readonly deltas: readonly (Pick<StreamEvent, 'text' | 'tokens' | 'reasoningTokens'> & { delta: unknown })[];
}

function listStreamedBlocks({ reasoning, text, toolCalls }: Choice): StreamedBlock[] {
  const blocks: StreamedBlock[] = [];
  if (reasoning.length > 0) {
    const signature = signConverse(joinPieces(reasoning));
    const thoughts = reasoning.map((piece) => ({
      ...piece,
      delta: { reasoningContent: { text: piece.text } },
      reasoningTokens: piece.tokens,
    }));
    const signed = { delta: { reasoningContent: { signature } }, text: '', tokens: 0, reasoningTokens: 0 };
    blocks.push({ deltas: [...thoughts, signed] });
  }
  if (text.length > 0) {
    blocks.push({
      deltas: text.map((piece) => ({ ...piece, delta: { text: piece.text }, reasoningTokens: 0 })),
    });
  }
  for (const call of toolCalls) {
    blocks.push({
      start: { toolUse: { name: call.name, toolUseId: nameCall(call.id) } },
      deltas: call.fragments.map((piece) => ({
        ...piece,
        delta: { toolUse: { input: piece.text } },
        reasoningTokens: 0,
      })),
    });
  }
  return blocks;
}
