import { useQuery } from '@tanstack/react-query';
import { readAnswer } from './answer.js';
import { apiQuery } from './api-query.js';
import type { PublicSettings } from './console-api.js';

export const ME = { ...apiQuery('/api/v1/me'), staleTime: 60_000 };

/** The signed-in user. */
export function useMe() {
  return useQuery(ME);
}

/** Whether the signed-in user administrates; `false` until that is known. */
export function useIsAdministrator(): boolean {
  return useMe().data?.role === 'administrator';
}

/** What the page needs to know before anybody has signed in. */
export function usePageSettings() {
  return useQuery({
    queryKey: ['/api/v1/settings/public'],
    queryFn: () => readAnswer<PublicSettings>(() => fetch('/api/v1/settings/public')),
  });
}
