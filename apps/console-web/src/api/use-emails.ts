import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api-query.js';
import { useIsAdministrator } from './use-me.js';

/** The longest page that the API gives. Users beyond it are shown by their ids. */
const MOST_USERS = 200;

/** Finds the e-mail address of a user by id; the id itself where it is not known. For administrators. */
export function useEmails(): (userId: string) => string {
  const isAdministrator = useIsAdministrator();
  const users = useQuery({
    ...apiQuery('/api/v1/users', { query: { limit: MOST_USERS } }),
    enabled: isAdministrator,
  });
  return (userId) => users.data?.data.find((user) => user.id === userId)?.email ?? userId;
}
