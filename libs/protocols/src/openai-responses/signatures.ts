import type { Signature } from '../canonical/blocks.js';
import { packSignature, unpackSignature } from '../canonical/carry-signature.js';

/** Parts an item's id from its encrypted content, neither of which has it. */
const SEPARATOR = '|';

/** Encrypted reasoning as one value, with the id that the provider wants back beside it. */
function readEncrypted(id: string | undefined, encrypted: string): Signature {
  return { protocol: 'openai-responses', value: id === undefined ? encrypted : id + SEPARATOR + encrypted };
}

export function splitEncrypted(value: string): {
  readonly id: string | undefined;
  readonly encrypted: string;
} {
  const at = value.indexOf(SEPARATOR);
  return at < 0
    ? { id: undefined, encrypted: value }
    : { id: value.slice(0, at), encrypted: value.slice(at + 1) };
}

/** What `encrypted_content` proves: this protocol's own reasoning, or what another one asked its client to keep. */
export type Encrypted =
  | { readonly kind: 'thought'; readonly signature: Signature }
  | { readonly kind: 'redacted'; readonly signature: Signature }
  | { readonly kind: 'call'; readonly signature: Signature };

export function decodeEncrypted(id: string | undefined, encrypted: string): Encrypted {
  return unpackSignature(encrypted) ?? { kind: 'thought', signature: readEncrypted(id, encrypted) };
}

/** `encrypted_content` for a client; `undefined` for reasoning that nothing signs. */
export function encodeEncrypted(
  block: Partial<Record<'signature' | 'redacted', Signature | undefined>>,
): string | undefined {
  const signature = block.redacted ?? block.signature;
  if (!signature) return undefined;
  if (signature.protocol === 'openai-responses') return splitEncrypted(signature.value).encrypted;
  return packSignature(signature, block.redacted ? 'redacted' : 'thought');
}
