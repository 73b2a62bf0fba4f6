import type { JsonObject } from '../json.js';
import type { Block, Extensions, ProtocolName, Turn } from './blocks.js';
import type { EncodeContext, SourceFormat } from './codec.js';
import { readObject } from './read-fields.js';
import type { CanonicalRequest } from './request.js';
import type { Steps } from './steps.js';

/** Where a mark stands. `calls` are calls and what they gave back, within the messages. */
export type CachePlace = 'system' | 'messages' | 'calls' | 'tools';

/** The end of what a provider is asked to keep in its cache. */
export interface CacheMark {
  readonly place: CachePlace;
  /** Whether it is to be kept for an hour, or longer than the usual five minutes in general. */
  readonly forAnHour: boolean;
}

/** Writes a mark; `undefined` where the model takes none. */
export type WriteCacheMark = (mark: CacheMark) => JsonObject | undefined;

const LONG: ReadonlySet<unknown> = new Set(['1h', '30m', '12h']);

/**
 * Moves marks of what is to be cached from where the client's protocol has them to where another one does. A mark that the
 * model does not take stays where it was, and is named like any other hint.
 *
 * @param member name of a mark in the protocol that is written.
 */
export function* carryCacheMarks(
  request: CanonicalRequest,
  home: ProtocolName,
  member: string,
  write: WriteCacheMark,
  { client }: Pick<EncodeContext, 'client'>,
): Steps<CanonicalRequest> {
  const from = client.name;
  const carry = <T extends { readonly ext?: Extensions }>(marked: T, place: CachePlace): T => {
    const name = from === home ? undefined : findMark(marked.ext, client);
    if (name === undefined) return marked;
    const { [name]: mark, ...rest } = marked.ext?.[from] ?? {};
    const written = write({ place, forAnHour: LONG.has(readObject(mark)?.ttl) });
    if (!written) return marked;
    const ext = { ...marked.ext, [from]: rest, [home]: { ...marked.ext?.[home], [member]: written } };
    return { ...marked, ext };
  };
  const firstOther = request.turns.findIndex((turn) => turn.role !== 'system');
  const carryTurn = (turn: Turn, index: number): Turn => {
    if (!turn.blocks.some((block) => 'ext' in block)) return turn;
    const isLeading = firstOther < 0 || index < firstOther;
    const blocks = turn.blocks.map((block) =>
      block.type === 'opaque' ? block : carry(block, isLeading ? 'system' : placeOfBlock(block)),
    );
    return { ...turn, blocks };
  };
  const turns: Turn[] = [];
  for (const [index, turn] of request.turns.entries()) {
    yield;
    turns.push(carryTurn(turn, index));
  }
  return { ...request, tools: request.tools.map((tool) => carry(tool, 'tools')), turns };
}

function findMark(ext: Extensions | undefined, { name: from, cacheMarks }: SourceFormat): string | undefined {
  return cacheMarks.find((key) => readObject(ext?.[from]?.[key]));
}

function placeOfBlock(block: Block): CachePlace {
  return block.type === 'tool-call' || block.type === 'tool-result' ? 'calls' : 'messages';
}
