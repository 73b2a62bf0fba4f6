import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api-query.js';

/** Models of one kind that can be called. */
export function useModels(kind: string): readonly string[] | undefined {
  const catalog = useQuery({ ...apiQuery('/api/v1/catalog', { query: { limit: 200 } }), staleTime: 30_000 });
  return catalog.data?.data.filter((model) => model.kind === kind).map((model) => model.slug);
}
