import { GatewayError } from '@mg/contract';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PROTOCOLS } from '../chat/chat-protocols.js';
import type { Codec } from '../canonical/codec.js';
import type { ModelTraits } from '../canonical/model-traits.js';
import { findCodec } from '../chat/chat-protocols.js';
import { isObject, type JsonObject } from '../json.js';

/** Every codec: each is tested by a folder of goldens. */
export const CODECS: readonly Codec[] = PROTOCOLS.map(findCodec);

/** `UPDATE_GOLDENS=1` writes what the codecs give instead of comparing with it: read the difference before committing. */
const UPDATE = process.env.UPDATE_GOLDENS === '1';

/** One concept of one protocol, as files of a folder. */
export interface Golden {
  readonly codec: Codec;
  readonly concept: string;
  readonly folder: string;
}

/** All goldens that have a file of this name. */
export function readGoldens(file: string): Golden[] {
  return CODECS.flatMap((codec) => {
    const root = fileURLToPath(new URL(`../${codec.name}/__golden__/`, import.meta.url));
    return readdirSync(root)
      .sort()
      .map((concept) => ({ codec, concept, folder: `${root}${concept}/` }))
      .filter(({ folder }) => existsSync(folder + file));
  });
}

export function readText(golden: Golden, file: string): string {
  return readFileSync(golden.folder + file, 'utf8');
}

export function readJson(golden: Golden, file: string): JsonObject {
  const value: unknown = JSON.parse(readText(golden, file));
  if (!isObject(value)) throw new Error(`${golden.folder}${file} is no JSON object`);
  return value;
}

export function hasFile(golden: Golden, file: string): boolean {
  return existsSync(golden.folder + file);
}

export function readTraits(golden: Golden): ModelTraits {
  return hasFile(golden, 'traits.json') ? readJson(golden, 'traits.json') : {};
}

/** A value as it stands in a JSON file. */
export function toPlain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** What a file of the golden expects; `actual` is what stands there from now on when goldens are updated. */
export function expectedJson(golden: Golden, file: string, actual: unknown): unknown {
  if (UPDATE) writeFileSync(golden.folder + file, `${JSON.stringify(actual, null, 2)}\n`);
  return JSON.parse(readText(golden, file));
}

/** The model that a body names; Gemini's requests name it in the path. */
export function readModel(body: JsonObject): string {
  const model = body.model ?? body.modelVersion;
  return typeof model === 'string' ? model : 'some-model';
}

/** What a codec answers, or how it refuses: `{refused: {code, message, param}}`. */
export function attempt<T>(run: () => T): T | { readonly refused: JsonObject } {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { code, message, param } = error;
    return { refused: { code, message, param } };
  }
}
