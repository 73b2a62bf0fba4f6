import type { Phrase } from '../api/console-api.js';
import { joinPhrases, sayPhrase } from './say-phrases.js';
import { useMessages } from './use-messages.js';

/** Says phrases of the API in the reader's language, one after another. Words of a provider are shown as they are. */
export function usePhrases(): (phrases: readonly Phrase[]) => string {
  const { outcomes } = useMessages();
  return (phrases) => joinPhrases(phrases.map((phrase) => sayPhrase(phrase, outcomes.phrases)));
}
