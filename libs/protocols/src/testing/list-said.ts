import type { Block, MediaBlock } from '../canonical/blocks.js';
import type { CanonicalRequest } from '../canonical/request.js';

/** One thing said in a conversation. */
export interface Said {
  /** `user`, `assistant`, `assistant calls now`, `user returns`. */
  readonly by: string;
  /** Text, or JSON of arguments with its members in order of their names. */
  readonly text: string;
}

/** What a conversation says, without the form it is said in. */
export interface Conversation {
  readonly spoken: readonly Said[];
  /** Results of calls, which some protocols put before what the user says besides. */
  readonly results: readonly Said[];
  /** Texts of instructions, which protocols put in different places. */
  readonly instructions: readonly string[];
  readonly thoughts: readonly string[];
  /** What proves to a provider that reasoning or calls are its own. */
  readonly signatures: readonly string[];
  /** Bytes, addresses and texts of images, audio, videos and documents. */
  readonly media: readonly string[];
}

export function readConversation({ turns }: CanonicalRequest): Conversation {
  const spoken: Said[] = [];
  const results: Said[] = [];
  for (const { role, blocks } of turns.filter((turn) => turn.role !== 'system')) {
    for (const block of blocks) {
      if (block.type === 'text') spoken.push({ by: role, text: block.text.trim() });
      if (block.type === 'tool-call') {
        spoken.push({ by: `${role} calls ${block.name}`, text: sortJson(block.arguments) });
      }
      if (block.type === 'tool-result') {
        results.push({ by: `${role} returns`, text: readTexts(block.content).join('\n') });
      }
    }
  }
  const all = turns
    .flatMap(({ blocks }) => blocks)
    .flatMap((block): readonly Block[] => (block.type === 'tool-result' ? block.content : [block]));
  return {
    spoken,
    results,
    instructions: turns.filter(({ role }) => role === 'system').flatMap(({ blocks }) => readTexts(blocks)),
    thoughts: all.flatMap((block) => (block.type === 'reasoning' && block.text !== '' ? [block.text] : [])),
    signatures: all.flatMap((block) =>
      'signature' in block && block.signature ? [block.signature.value] : [],
    ),
    media: all.flatMap((block) => (block.type === 'media' ? [readMedia(block)] : [])),
  };
}

function readTexts(blocks: readonly Block[]): string[] {
  return blocks
    .flatMap((block) => (block.type === 'text' ? [block.text.trim()] : []))
    .filter((text) => text !== '');
}

/** A document of plain text travels as bytes or as text. */
function readMedia({ source }: MediaBlock): string {
  if (source.type === 'bytes' && source.mediaType.startsWith('text/')) {
    return Buffer.from(source.base64, 'base64').toString('utf8').trim();
  }
  if (source.type === 'bytes') return source.base64;
  if (source.type === 'url') return source.url;
  return source.type === 'text' ? source.text.trim() : source.id;
}

/** JSON with the members of its objects in order of their names; what is no JSON as it stands. */
export function sortJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    );
  } catch {
    return text;
  }
}

/** What of a conversation did not arrive in its order: a text may be part of a longer one of the same speaker. */
export function findMissing(said: readonly Said[], received: readonly Said[]): readonly Said[] {
  let index = 0;
  let offset = 0;
  return said.filter(({ by, text }) => {
    for (let at = index; at < received.length; at++) {
      const other = received[at];
      const start = other?.by === by ? other.text.indexOf(text, at === index ? offset : 0) : -1;
      if (start === -1) continue;
      index = at;
      offset = start + text.length;
      return false;
    }
    return true;
  });
}
