import { type Answer, joinPieces, sumTokens } from '../answer.js';
import type { StreamEvent, AnswerContext } from '../dialects/dialect.js';
import type { Json } from '../json.js';
import type { Piece } from '../tokens.js';
import type { LookAlike } from './look-alike.js';

/** A delta and what producing it adds to the bill. */
interface Step {
  readonly delta: Json;
  readonly text: string;
  readonly tokens: number;
  readonly reasoningTokens: number;
  readonly finishReason: string | null;
}

const NOTHING = { text: '', tokens: 0, reasoningTokens: 0, finishReason: null };

/** The chunks of an answer, in the provider's own words. */
export function* composeEvents(lookAlike: LookAlike, context: AnswerContext): Generator<StreamEvent> {
  const { answer, request, identity, billed } = context;
  const behindTheEnd =
    lookAlike.usageStands !== 'with-the-end' && (request.includeUsage || lookAlike.reportsUsageUnasked);
  let isFirst = true;
  for (const step of listSteps(lookAlike, answer)) {
    const isEnd = step.finishReason !== null;
    const after = {
      ...billed,
      completionTokens: billed.completionTokens + step.tokens,
      reasoningTokens: billed.reasoningTokens + step.reasoningTokens,
    };
    const usage = isEnd ? lookAlike.describeUsage(after) : undefined;
    const choice = lookAlike.describeChoice(step.delta, step.finishReason);
    const chunk = lookAlike.describeChunk({
      identity,
      choices: [usage && lookAlike.usageStands === 'in-the-choice' ? { ...choice, usage } : choice],
      usage: lookAlike.usageStands === 'with-the-end' ? usage : undefined,
      isFirst,
    });
    const { text, tokens, reasoningTokens } = step;
    yield { json: JSON.stringify(chunk), text, tokens, reasoningTokens };
    isFirst = false;
  }
  if (!behindTheEnd) return;
  const usage = lookAlike.describeUsage(billed);
  const last = lookAlike.describeChunk({ identity, choices: [], usage, isFirst });
  yield { json: JSON.stringify(last), text: '', tokens: 0, reasoningTokens: 0 };
}

function* listSteps(lookAlike: LookAlike, answer: Answer): Generator<Step> {
  const [choice] = answer.choices;
  if (!choice) return;
  if (lookAlike.opening) yield { delta: lookAlike.opening, ...NOTHING };
  for (const piece of choice.reasoning) {
    yield { ...produce([piece], lookAlike.reasoningDelta(piece.text)), reasoningTokens: piece.tokens };
  }
  const isAfterReasoning = choice.reasoning.length > 0;
  if (isAfterReasoning && lookAlike.signatureDelta) {
    yield { delta: lookAlike.signatureDelta(joinPieces(choice.reasoning)), ...NOTHING };
  }
  for (const piece of choice.text) {
    yield produce([piece], lookAlike.textDelta(piece.text, isAfterReasoning));
  }
  const { finishReason } = choice;
  const calls = [...listCalls(lookAlike, choice.toolCalls)];
  if (lookAlike.callsTravel === 'with-the-end' && calls.length > 0) {
    const together = calls.map(({ entry }) => entry);
    const pieces = calls.flatMap((call) => call.pieces);
    yield {
      ...produce(pieces, { ...lookAlike.besideCalls, tool_calls: together }),
      finishReason,
    };
    return;
  }
  for (const { entry, pieces } of calls) {
    yield produce(pieces, { ...lookAlike.besideCalls, tool_calls: [entry] });
  }
  yield { delta: lookAlike.closing, ...NOTHING, finishReason };
}

interface CallEntry {
  readonly entry: Json;
  readonly pieces: readonly Piece[];
}

function* listCalls(
  lookAlike: LookAlike,
  calls: Answer['choices'][number]['toolCalls'],
): Generator<CallEntry> {
  for (const [index, { id, name, fragments }] of calls.entries()) {
    if (lookAlike.callsTravel !== 'in-fragments') {
      const facts = { index, id, name, arguments: joinPieces(fragments) };
      yield { entry: lookAlike.describeCall(facts), pieces: fragments };
      continue;
    }
    yield { entry: lookAlike.describeCall({ index, id, name, arguments: '' }), pieces: [] };
    for (const piece of fragments) {
      const facts = { index, id, name: undefined, arguments: piece.text };
      yield { entry: lookAlike.describeCall(facts), pieces: [piece] };
    }
  }
}

function produce(pieces: readonly Piece[], delta: Json): Step {
  return { ...NOTHING, delta, text: joinPieces(pieces), tokens: sumTokens(pieces) };
}
