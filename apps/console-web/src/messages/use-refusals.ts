import { sayRefusalInChinese } from './say-refusal.js';
import { useLanguage } from './use-messages.js';

/** Says what the API refuses with in the reader's language. */
export function useRefusals(): (message: string) => string {
  const language = useLanguage();
  return (message) => (language === 'zh' ? sayRefusalInChinese(message) : message);
}
