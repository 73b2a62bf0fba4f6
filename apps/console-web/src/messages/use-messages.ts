import { useSyncExternalStore } from 'react';
import { en, type Messages } from './en.js';
import { zh } from './zh.js';

export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

const STORAGE_KEY = 'model-gateway.language';
const messages: Readonly<Record<Language, Messages>> = { en, zh };
const listeners = new Set<() => void>();
let current: Language = readLanguage();

/** All texts of the page in the language that the reader chose, else their browser's. */
export function useMessages(): Messages {
  return messages[useLanguage()];
}

export function useLanguage(): Language {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

export function setLanguage(language: Language): void {
  current = language;
  localStorage.setItem(STORAGE_KEY, language);
  announceLanguage();
  for (const listener of listeners) listener();
}

/** Tells browsers and screen readers the language of the page. */
export function announceLanguage(): void {
  document.documentElement.lang = current;
}

function readLanguage(): Language {
  const chosen = localStorage.getItem(STORAGE_KEY);
  const wanted = chosen ?? navigator.language.slice(0, 2);
  return LANGUAGES.find((language) => language === wanted) ?? 'en';
}
