import { zhRefusals } from './zh-refusals.js';

interface Template {
  readonly pattern: RegExp;
  readonly words: string;
}

const SPECIAL = /[.*+?^${}()|[\]\\]/g;
const SLOT = /\{(\d)\}/g;
/** Name of a field with its colon, as the API puts it before what is wrong with it. */
const FIELD = /^[a-z][\w.[\]/@:-]*?: /;

/** The longest first: of two that fit, the one that says more. */
const templates: readonly Template[] = Object.entries(zhRefusals)
  .toSorted(([left], [right]) => right.length - left.length)
  .map(([sentence, words]) => ({ pattern: toPattern(sentence), words }));

/**
 * A refusal of the API in Chinese. One that this page does not know, as the words of a provider and those of another version
 * are not, stays as it is.
 */
export function sayRefusalInChinese(message: string): string {
  const [field = ''] = FIELD.exec(message) ?? [];
  const rest = message.slice(field.length);
  const said = find(rest);
  if (said === undefined) return find(message) ?? message;
  return field === '' ? said : `${field.slice(0, -2)}：${said}`;
}

function find(sentence: string): string | undefined {
  for (const { pattern, words } of templates) {
    const match = pattern.exec(sentence);
    if (match) return words.replace(SLOT, (_, place: string) => match[Number(place) + 1] ?? '');
  }
  return undefined;
}

function toPattern(sentence: string): RegExp {
  const written = sentence.split('…').map((part) => part.replace(SPECIAL, String.raw`\$&`));
  return new RegExp(`^${written.join('(.+?)')}\\.?$`, 'i');
}
