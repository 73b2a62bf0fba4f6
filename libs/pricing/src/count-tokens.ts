import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';

/**
 * Tokens of a text under the o200k encoding: what usage is estimated by when an upstream reports none.
 * Special-token markers in the text count as the plain text they are.
 */
export function countTokens(text: string): number {
  return text === '' ? 0 : countO200k(text, { disallowedSpecial: new Set() });
}
