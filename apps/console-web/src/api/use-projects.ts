import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api-query.js';
import type { Project } from './console-api.js';

/** As many as the API lists at once. */
const MOST_LISTED = 200;

export const PROJECTS = {
  ...apiQuery('/api/v1/projects', { query: { limit: MOST_LISTED } }),
  staleTime: 60_000,
};

function useProjectsQuery() {
  return useQuery(PROJECTS);
}

/** The newest projects that the signed-in user sees; empty until they are known. */
export function useProjects(): readonly Project[] {
  return useProjectsQuery().data?.data ?? [];
}

/** Whether `useProjects` has every project that the signed-in user sees: the list may be longer than the API answers at once. */
export function useAreAllProjectsKnown(): boolean {
  return useProjectsQuery().data?.next_cursor === null;
}

export function useAreProjectsKnown(): boolean {
  return !useProjectsQuery().isPending;
}
