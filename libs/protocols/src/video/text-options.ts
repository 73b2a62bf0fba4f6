import { refuseField } from '../canonical/refuse.js';

/** Members of an order that its prompt may say too. */
export type TextOption =
  | 'resolution'
  | 'ratio'
  | 'duration'
  | 'frames'
  | 'framespersecond'
  | 'seed'
  | 'camera_fixed'
  | 'watermark';

/**
 * The names that options have in a prompt, by the member that says the same.
 *
 * @see https://www.volcengine.com/docs/82379/1520757
 */
const OPTION_NAMES: ReadonlyMap<string, TextOption> = new Map([
  ['resolution', 'resolution'],
  ['rs', 'resolution'],
  ['ratio', 'ratio'],
  ['rt', 'ratio'],
  ['duration', 'duration'],
  ['dur', 'duration'],
  ['framespersecond', 'framespersecond'],
  ['fps', 'framespersecond'],
  ['frames', 'frames'],
  ['seed', 'seed'],
  ['camerafixed', 'camera_fixed'],
  ['camera_fixed', 'camera_fixed'],
  ['cf', 'camera_fixed'],
  ['watermark', 'watermark'],
  ['wm', 'watermark'],
]);

/** Longer names first, so that `--duration` is not read as `--dur` and the rest as its value. */
const NAMES = [...OPTION_NAMES.keys()].sort((a, b) => b.length - a.length).join('|');
const OPTION = String.raw`(?<!-)-{2,}(${NAMES})(?![\p{L}_])[\s=:]*(\S*)`;
/** What an option's value begins with, to distinguish an option in unusual signs from a dash in a sentence. */
const VALUE_LIKE = /^["']?(?:\d|true|false|adaptive)/i;
/** Characters of a prompt: what it says is looked for in one step. */
export const LONGEST_TEXT = 32_768;

/** Characters of all texts of an order: reading that many takes up to five milliseconds. */
export const MOST_TEXT = 2 * LONGEST_TEXT;

/** An option as a prompt says it. */
export interface GivenOption {
  readonly option: TextOption;
  /** The text after its name, as it was written. */
  readonly value: string;
}

/**
 * Takes the options out of a prompt, so that what is left can say nothing about length, shape or price to whoever reads
 * it next. Case and the kind of white space do not matter; an option in other signs than `--` and plain letters is refused.
 *
 * @param param what an error names, such as `content[0].text`.
 * @throws GatewayError `invalid_request`.
 */
export function takeTextOptions(
  text: string,
  param: string,
): { readonly text: string; readonly options: readonly GivenOption[] } {
  if (text.length > LONGEST_TEXT) refuseField(param, `must hold at most ${LONGEST_TEXT} characters`);
  const options: GivenOption[] = [];
  const kept: string[] = [];
  let end = 0;
  for (const match of text.matchAll(new RegExp(OPTION, 'giu'))) {
    kept.push(text.slice(end, match.index).trimEnd());
    end = match.index + match[0].length;
    options.push(toOption(match));
  }
  const rest = end === 0 ? text : kept.join('') + text.slice(end);
  if (findOption(rest) ?? findOption(foldSigns(rest), VALUE_LIKE)) {
    refuseField(param, 'holds an option that is not clear: say it as a field of its own');
  }
  return { text: rest, options };
}

/** Whether a prompt says options in its text, in whatever signs. */
export function hasTextOption(prompt: string): boolean {
  return (findOption(prompt) ?? findOption(foldSigns(prompt), VALUE_LIKE)) !== undefined;
}

function findOption(text: string, valueLike = /(?:)/): GivenOption | undefined {
  for (const match of text.matchAll(new RegExp(OPTION, 'giu'))) {
    if (valueLike.test(match[2] ?? '')) return toOption(match);
  }
  return undefined;
}

function toOption([, name = '', value = '']: RegExpMatchArray): GivenOption {
  // A letter such as the long s matches its plain sister and has no entry of its own.
  const option = OPTION_NAMES.get(name.normalize('NFKC').toLowerCase());
  if (option === undefined) throw new RangeError(`no option is called ${name}`);
  return { option, value };
}

/** Ligatures that stand for sentences of up to 18 letters: prompts of nothing else would become megabytes. */
const SENTENCES = /[\uFDFA\uFDFB]/g;
/** The letter that stands for one: no option has letters of its kind. */
const ALEF = '\u0627';

/** A text in plain signs: full-width letters, signs that are not seen, and every kind of dash. */
function foldSigns(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  return text
    .replaceAll(SENTENCES, ALEF)
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[\u2014\u2015\u2E3A\u2E3B]/gu, '--')
    .replaceAll(/[\p{Pd}\u2212]/gu, '-');
}
