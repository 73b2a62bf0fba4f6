import type { ApiError } from '../api/answer.js';
import { sayReasonInChinese } from './say-reason.js';
import { useLanguage } from './use-messages.js';

/**
 * Says why the API refuses, in the reader's language. None where the API's own sentence says it: in English, and where there
 * is no reason that this page knows, as with words of a provider and reasons of another version.
 */
export function useReasons(): (error: Pick<ApiError, 'reason' | 'values'>) => string | undefined {
  const language = useLanguage();
  return (error) => (language === 'zh' ? sayReasonInChinese(error) : undefined);
}
