import { Link } from '@tanstack/react-router';
import { useIsAdministrator } from '../api/use-me.js';
import { Icon } from '../components/icon.js';
import { useMessages } from '../messages/use-messages.js';
import { ADMINISTRATION, VIEWS } from './views.js';

type Entry = (typeof VIEWS)[number] | (typeof ADMINISTRATION)[number];

/** Links to every view that the user may see. */
export function Navigation({ onLeave }: { readonly onLeave: () => void }) {
  const { navigation } = useMessages();
  const isAdministrator = useIsAdministrator();
  const toLink = ([path, name]: Entry) => (
    <Link
      key={path}
      to={path}
      onClick={onLeave}
      activeOptions={{ exact: path === '/', includeSearch: false }}
      className="text-muted hover:bg-raised hover:text-ink flex touch:py-3 items-center gap-3 rounded-lg px-3 py-2 font-medium"
      activeProps={{ className: 'bg-accent-soft !text-accent' }}
    >
      <Icon name={name} />
      {navigation[name]}
    </Link>
  );
  return (
    <nav
      aria-label={navigation.label}
      className="grid grid-cols-2 gap-0.5 sm:grid-cols-3 lg:flex lg:flex-col"
    >
      {VIEWS.map(toLink)}
      {isAdministrator && (
        <>
          <p className="text-muted col-span-full px-3 pt-3 pb-1 text-xs font-medium">
            {navigation.administration}
          </p>
          {ADMINISTRATION.map(toLink)}
        </>
      )}
    </nav>
  );
}
