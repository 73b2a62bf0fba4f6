import { useLanguage } from '../messages/use-messages.js';

/** Writes whole numbers and quantities with thousands set apart. */
export function useCount(): (count: number) => string {
  const language = useLanguage();
  return (count) => count.toLocaleString(language, { maximumFractionDigits: 9 });
}
