import { createHash, type Hash } from 'node:crypto';
import { isObject, type JsonObject } from '../json.js';

const SYSTEM_FIELDS = ['system', 'instructions', 'systemInstruction', 'system_instruction'] as const;
const TURN_FIELDS = ['messages', 'contents', 'input', 'prompt'] as const;
/** Turns that are looked at before the first of a user. */
const MOST_TURNS = 8;
/** Characters of each part that are read: the beginnings of two conversations seldom agree in all of them. */
const MOST_CHARACTERS = 8 * 1024;
/** Values of each part that are looked at, however deep. */
const MOST_VALUES = 256;
const MOST_DEPTH = 16;

/**
 * A name for the conversation that a chat request of any protocol goes on with: by what all of its requests begin with, the
 * instructions and the turns up to the first of the user, or by the key that the client gives it for the provider's cache.
 * Takes the same time for a long conversation as for a short one.
 */
export function nameConversation(request: JsonObject): string {
  const hash = createHash('sha256');
  if (typeof request.prompt_cache_key === 'string') {
    hash.update(request.prompt_cache_key.slice(0, MOST_CHARACTERS));
    return hash.digest('base64url');
  }
  for (const field of SYSTEM_FIELDS) addPart(request[field], hash);
  for (const field of TURN_FIELDS) addTurns(request[field], hash);
  return hash.digest('base64url');
}

function addTurns(turns: unknown, hash: Hash): void {
  if (!Array.isArray(turns)) {
    addPart(turns, hash);
    return;
  }
  for (const turn of turns.slice(0, MOST_TURNS)) {
    addPart(turn, hash);
    // Contents of Gemini are the user's where they name no role.
    if (!isObject(turn) || turn.role === 'user' || (turn.role === undefined && turn.parts)) return;
  }
}

/** Long texts count by their beginning: an image as much as a sentence. */
function addPart(part: unknown, hash: Hash): void {
  let characters = MOST_CHARACTERS;
  let values = MOST_VALUES;
  const add = (value: unknown, depth: number): void => {
    if (values-- <= 0 || depth > MOST_DEPTH || value === undefined) return;
    if (typeof value === 'string') {
      hash.update(`${value.length}:${value.slice(0, characters)}`);
      characters = Math.max(0, characters - value.length);
    } else if (Array.isArray(value)) {
      for (const item of value.slice(0, MOST_VALUES)) add(item, depth + 1);
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value).slice(0, MOST_VALUES)) {
        hash.update(`${name};`);
        add(member, depth + 1);
      }
    } else hash.update(String(value));
  };
  add(part, 0);
  hash.update('\n');
}
