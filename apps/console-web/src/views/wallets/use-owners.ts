import type { Wallet } from '../../api/console-api.js';
import { useIsAdministrator } from '../../api/use-me.js';
import { useNames } from '../../api/use-names.js';
import { useAreAllProjectsKnown, useProjects } from '../../api/use-projects.js';
import { useMessages } from '../../messages/use-messages.js';

type Owned = Pick<Wallet, 'id' | 'name' | 'user_id'>;

/**
 * Says whose a wallet is, for administrators: a user's, a project's or the operator's. A dash while that is not known. A
 * project or user whose name the wallet has is not named once more.
 */
export function useOwners(wallets: readonly Owned[]): (wallet: Owned) => string {
  const { wallets: messages } = useMessages();
  const isAdministrator = useIsAdministrator();
  const emailOf = useNames(
    '/api/v1/users',
    wallets.map((wallet) => wallet.user_id),
    { enabled: isAdministrator },
  );
  const projects = useProjects();
  const areAllKnown = useAreAllProjectsKnown();
  return ({ id, name, user_id: userId }) => {
    if (userId !== null) {
      const email = emailOf(userId) ?? '–';
      return email === name ? messages.ownerUser : email;
    }
    const project = projects.find((known) => known.wallet_id === id);
    if (project) return project.name === name ? messages.ownerProject : messages.ownerProjectOf(project.name);
    return areAllKnown ? messages.ownerNone : '–';
  };
}
