import type { Token } from '../../api/console-api.js';
import { useNames } from '../../api/use-names.js';
import { useProjects } from '../../api/use-projects.js';

/** Finds the name of the wallet or project that a key pays from; empty until it is known. */
export function usePayers(tokens: readonly Token[]): (token: Token) => string {
  const walletOf = useNames(
    '/api/v1/wallets',
    tokens.map((token) => token.wallet_id),
  );
  const projects = useProjects();
  // Of a project's wallet only its owners know the name.
  return ({ wallet_id: id }) =>
    projects.find((project) => project.wallet_id === id)?.name ?? walletOf(id) ?? '';
}
