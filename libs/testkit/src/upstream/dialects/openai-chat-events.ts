import type { Answer, Choice } from '../answer.js';
import type { Piece } from '../tokens.js';
import { type Billed, reportUsage } from '../usage.js';
import { silentEvent, type StreamEvent, type AnswerContext } from './dialect.js';

interface Step {
  readonly delta: Record<string, unknown>;
  readonly text: string;
  readonly tokens: number;
  readonly reasoningTokens: number;
  readonly finishReason: string | null;
}

/** The events of an answer in OpenAI's grammar, without `[DONE]`. Choices take turns. */
export function* composeChatEvents(context: AnswerContext): Generator<StreamEvent> {
  const { answer, request, behaviour, identity, billed } = context;
  const placement = behaviour.usage?.placement ?? 'final';
  const announcesUsage = (placement === 'final' && request.includeUsage) || placement === 'always';
  const event = (choices: unknown[], usage: unknown, step?: Step): StreamEvent => ({
    json: JSON.stringify({
      id: `chatcmpl-${identity.id}`,
      object: 'chat.completion.chunk',
      created: identity.created,
      model: identity.model,
      service_tier: 'default',
      system_fingerprint: 'fp_fake0001',
      choices,
      usage,
    }),
    text: step?.text ?? '',
    tokens: step?.tokens ?? 0,
    reasoningTokens: step?.reasoningTokens ?? 0,
  });

  if (behaviour.stream?.openingFilter) yield silentEvent(OPENING_FILTER);
  for (const { index, step } of takeTurns(answer)) {
    const after = addStep(billed, step);
    const finished = step.finishReason !== null;
    const choice: Record<string, unknown> = {
      index,
      delta: step.delta,
      logprobs: null,
      finish_reason: step.finishReason,
    };
    if (finished && placement === 'in-choice') choice['usage'] = reportUsage(after, behaviour.usage);
    const reports = placement === 'every-chunk' || (placement === 'last-chunk' && finished);
    yield event(
      [choice],
      reports ? reportUsage(after, behaviour.usage) : announcesUsage ? null : undefined,
      step,
    );
  }
  if (announcesUsage) yield event([], reportUsage(billed, behaviour.usage));
}

export const SAFE = { filtered: false, severity: 'safe' };
/** What Azure says of a prompt before it answers. */
export const OPENING_FILTER = {
  choices: [],
  created: 0,
  id: '',
  model: '',
  object: '',
  prompt_filter_results: [
    {
      prompt_index: 0,
      content_filter_results: { hate: SAFE, self_harm: SAFE, sexual: SAFE, violence: SAFE },
    },
  ],
};

function addStep(billed: Readonly<Billed>, step: Step): Billed {
  return {
    ...billed,
    completionTokens: billed.completionTokens + step.tokens,
    reasoningTokens: billed.reasoningTokens + step.reasoningTokens,
  };
}

function* takeTurns(answer: Answer): Generator<{ index: number; step: Step }> {
  let running = answer.choices.map((choice, index) => ({ index, steps: listSteps(choice, answer) }));
  while (running.length > 0) {
    const still: typeof running = [];
    for (const turn of running) {
      const next = turn.steps.next();
      if (next.done) continue;
      yield { index: turn.index, step: next.value };
      still.push(turn);
    }
    running = still;
  }
}

function* listSteps(choice: Choice, answer: Answer): Generator<Step> {
  const hidden = answer.hiddenReasoningTokens;
  const opening = { role: 'assistant', content: '', refusal: null };
  yield { delta: opening, text: '', tokens: hidden, reasoningTokens: hidden, finishReason: null };
  for (const piece of choice.reasoning) {
    yield { ...produce(piece, { [answer.reasoningField]: piece.text }), reasoningTokens: piece.tokens };
  }
  for (const piece of choice.text) yield produce(piece, { content: piece.text });
  for (const [index, call] of choice.toolCalls.entries()) {
    const start = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
    yield silentStep({ tool_calls: [start] }, null);
    for (const piece of call.fragments) {
      yield produce(piece, { tool_calls: [{ index, function: { arguments: piece.text } }] });
    }
  }
  yield silentStep({}, choice.finishReason);
}

function silentStep(delta: Record<string, unknown>, finishReason: string | null): Step {
  return { delta, text: '', tokens: 0, reasoningTokens: 0, finishReason };
}

function produce(piece: Piece, delta: Record<string, unknown>): Step {
  return { delta, text: piece.text, tokens: piece.tokens, reasoningTokens: 0, finishReason: null };
}
