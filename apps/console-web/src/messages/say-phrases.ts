import type { Phrase } from '../api/console-api.js';

const VALUE = /\{(\d)\}/g;

/** A code that this page does not know, of a newer Console, says what it is about by its values. */
export function sayPhrase({ code, values }: Phrase, words: Readonly<Record<string, string>>): string {
  return words[code]?.replace(VALUE, (_, place: string) => values[Number(place)] ?? '') ?? values.join(' ');
}

/** What ends with a colon goes on with the next one. */
export function joinPhrases(said: readonly string[]): string {
  return said.reduce((text, phrase) => {
    if (text === '' || /(: |：)$/.test(text)) return text + phrase;
    return `${text}${/\p{Script=Han}/u.test(text + phrase) ? '，' : ', '}${phrase}`;
  }, '');
}
