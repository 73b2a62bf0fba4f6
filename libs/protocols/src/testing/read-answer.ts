import type { Usage } from '@mg/contract';
import type { Block } from '../canonical/blocks.js';
import type { CanonicalEvent } from '../canonical/events.js';
import type { CanonicalReply } from '../canonical/reply.js';
import { sortJson } from './list-said.js';
import { collectStream } from './read-stream.js';

/** What a client learns of one choice of an answer. */
export interface ReadChoice {
  readonly text: string;
  /** Why the model or a policy refused, which some protocols say as text; empty for none. */
  readonly refusal: string;
  readonly thoughts: string;
  /** `id name {"a":1}`; a call that was cut within its arguments is left out, as some protocols have to. */
  readonly calls: readonly string[];
  readonly stop: string | undefined;
}

/** What a client learns from an answer, whole or streamed. */
export interface ReadAnswer {
  readonly choices: readonly ReadChoice[];
  readonly usage: Partial<Usage> | undefined;
  /** Why it broke off; `undefined` for an answer that came to its end. */
  readonly fault: string | undefined;
}

export function readReply({ choices, usage }: CanonicalReply): ReadAnswer {
  const answered = choices.map(({ blocks, stop, refusal }) => readChoice(blocks, stop, refusal));
  return { choices: answered, usage, fault: undefined };
}

export function readEvents(events: readonly CanonicalEvent[]): ReadAnswer {
  const { blocks, usage } = collectStream(events);
  const ends = new Map(
    events.flatMap((event) => (event.type === 'choice-end' ? [[event.choice, event]] : [])),
  );
  const indexes = new Set([...blocks.map(({ choice }) => Number(choice)), ...ends.keys()]);
  const choices = [...indexes].sort().map((index) => {
    const own = blocks.filter(({ choice }) => choice === index) as unknown as Block[];
    const end = ends.get(index);
    return readChoice(own, end?.stop, end?.refusal);
  });
  // Nothing is shown by a choice that only began a call when the stream broke off.
  const isPresent = ({ text, thoughts, calls, stop }: ReadChoice) =>
    text !== '' || thoughts !== '' || calls.length > 0 || stop !== undefined;
  const last = events.at(-1);
  return {
    choices: choices.filter(isPresent),
    usage: usage as Partial<Usage> | undefined,
    fault: last?.type === 'fault' ? last.fault.message : undefined,
  };
}

function readChoice(
  blocks: readonly Block[],
  stop: string | undefined,
  refusal: string | undefined,
): ReadChoice {
  return {
    text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    refusal: refusal ?? '',
    thoughts: blocks.map((block) => (block.type === 'reasoning' ? block.text : '')).join(''),
    calls: blocks.flatMap((block) =>
      block.type === 'tool-call' && isJson(block.arguments)
        ? [`${block.id} ${block.name} ${sortJson(block.arguments)}`]
        : [],
    ),
    stop,
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
