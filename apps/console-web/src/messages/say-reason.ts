import type { ApiError } from '../api/answer.js';
import { zhRefusals } from './zh-refusals.js';

const VALUE = /\{(\d)\}/g;

/** A reason of the API in Chinese, with its values; none for one that this page does not know. */
export function sayReasonInChinese({
  reason,
  values,
}: Pick<ApiError, 'reason' | 'values'>): string | undefined {
  const words: Readonly<Record<string, string>> = zhRefusals;
  return reason && words[reason]?.replace(VALUE, (_, place: string) => values[Number(place)] ?? '');
}
