import { useState } from 'react';
import { api } from '../../api/client.js';
import { useMessages } from '../../messages/use-messages.js';

/**
 * Whether there are models of the slugs that a key is newly given. Those that there are not, for they may come later, are
 * taken when the same slugs are sent again.
 *
 * @param known slugs that the key has already.
 */
export function useModelCheck(known: readonly string[]) {
  const { tokens: messages } = useMessages();
  const [missing, setMissing] = useState<readonly string[]>([]);
  const checkModels = async (slugs: readonly string[]) => {
    const unsure = slugs.filter((slug) => !known.includes(slug) && !missing.includes(slug));
    if (unsure.length === 0) return;
    const found = await api.get('/api/v1/catalog', {
      query: { slugs: unsure.join(','), limit: unsure.length },
    });
    const unknown = unsure.filter((slug) => !found.data.some((model) => model.slug === slug));
    if (unknown.length === 0) return;
    setMissing([...missing, ...unknown]);
    throw new Error(messages.modelsUnknown(unknown.join(', ')));
  };
  return {
    unknown: missing.length > 0 ? messages.modelsUnknown(missing.join(', ')) : undefined,
    checkModels,
  };
}
