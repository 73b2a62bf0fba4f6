import { GatewayError } from '@mg/contract';
import { nameField } from '../canonical/name-field.js';
import { findCodec, findUpstreamProtocol } from '../chat/chat-protocols.js';
import type { GeminiGenerateTraits } from '../gemini-generate/traits.js';
import { isObject, type JsonObject } from '../json.js';
import { BASES, type Destination, Refused, type RequestRow, type Wire, WIRES } from './row.js';

/** What became of a request on a channel. */
export type Converted =
  | { readonly dropped: readonly string[]; readonly body: JsonObject }
  /** `isPlace` says whether the field that is named leads to something in the client's request. */
  | { readonly refused: string | undefined; readonly isPlace: boolean };

export type ClientWire = keyof typeof BASES;

/** Too little to find a fault by. */
const VAGUE: ReadonlySet<string> = new Set(['', 'messages', 'input', 'contents', 'body']);
const CLIENTS = Object.keys(BASES) as readonly ClientWire[];

/** The clients that have words for the concept of a row. */
export function listClients(row: RequestRow): readonly ClientWire[] {
  return CLIENTS.filter((wire) => (row.from?.[wire] ?? row.said?.[wire]) !== undefined);
}

/** The whole request of a client that says what the row is about. */
function composeRequest(row: RequestRow, client: ClientWire): JsonObject {
  return { ...BASES[client], ...(row.from?.[client] ?? row.said?.[client]) };
}

/** What the row says of a channel. @throws Error where it says nothing. */
export function findDestination(row: RequestRow, channel: Wire): Destination {
  const landing = row.to?.[channel] ?? row.said?.[channel];
  if (landing) return landing;
  if (channel === 'completions') return new Refused();
  throw new Error(`the row "${row.concept}" does not say what ${channel} is asked`);
}

/** What Google's models of a generation have in common, by a model that a row names. */
const GENERATIONS: Readonly<Record<string, GeminiGenerateTraits>> = {
  'gemini-2.5-flash': { supportsSchemaWithTools: false },
  'gemini-3.5-flash': {
    supportsThinkingLevels: true,
    requiresCallSignatures: true,
    supportsMediaResolution: true,
    supportsMediaInResults: true,
  },
};

/** Decodes the request of a client and encodes it for a channel. */
export function convertRequest(row: RequestRow, client: ClientWire, channel: Wire): Converted {
  const body = composeRequest(row, client);
  const dropped = new Set<string>();
  const source = findUpstreamProtocol(WIRES[client]);
  try {
    const request = findCodec(WIRES[client]).decodeRequest(body, 'm', body.stream === true);
    const encoded = findCodec(WIRES[channel]).encodeRequest(request, {
      upstreamModel: row.model ?? 'some-model',
      channelType: 'some-channel',
      traits: { ...GENERATIONS[row.model ?? ''], ...row.traits },
      client: source,
      dropped: { add: (field) => dropped.add(nameField(field, source)) },
    });
    return { dropped: [...dropped].sort(), body: JSON.parse(JSON.stringify(encoded)) as JsonObject };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { refused: error.param, isPlace: isFieldOf(body, error.param ?? '') };
  }
}

/** Whether a field's name leads to something in a request: `messages[0].content[1].image_url.url`. */
function isFieldOf(body: JsonObject, path: string): boolean {
  if (VAGUE.has(path)) return false;
  let at: unknown = body;
  for (const step of path.split(/\.|\[|\]\.?/).filter((part) => part !== '')) {
    if (Array.isArray(at)) at = (at as unknown[])[Number(step)];
    else at = isObject(at) ? at[step] : undefined;
  }
  return at !== undefined;
}
