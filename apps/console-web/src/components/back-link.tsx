import { Link } from '@tanstack/react-router';
import { Icon } from './icon.js';

interface BackLinkProps {
  readonly to: '/tokens' | '/wallets' | '/projects' | '/channels' | '/users';
  /** What is listed there. */
  readonly name: string;
}

/** From the page of one thing to the list of all of them. */
export function BackLink({ to, name }: BackLinkProps) {
  return (
    <Link
      to={to}
      className="text-muted hover:text-ink touch:min-h-11 touch:min-w-11 -ml-1 inline-flex items-center gap-1 text-xs font-medium"
    >
      <Icon name="previous" />
      {name}
    </Link>
  );
}
