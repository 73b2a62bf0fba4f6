import { sayFault } from './say-fault.js';
import { useLanguage } from './use-messages.js';

/** Says what a schema found wrong with a field, in the reader's language. */
export function useFaultWords(): (fault: string) => string {
  const language = useLanguage();
  return (fault) => sayFault(fault, language);
}
