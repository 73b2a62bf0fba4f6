import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.js';
import { session } from '../api/session.js';
import { useMe } from '../api/use-me.js';
import { useAreProjectsKnown } from '../api/use-projects.js';
import { Icon } from '../components/icon.js';
import { Skeleton } from '../components/skeleton.js';
import { useMessages } from '../messages/use-messages.js';
import { Brand } from './brand.js';
import { Navigation } from './navigation.js';
import { PaletteButton } from './palette-button.js';
import { Preferences } from './preferences.js';

/** Views that use the full width; elsewhere long lines are hard to read. */
const WIDE_VIEWS: ReadonlySet<string> = new Set(['/logs', '/audit', '/tokens', '/wallets']);

/** The frame of every view: navigation at the side, above the view where the screen is narrow. */
export function Shell() {
  const { actions } = useMessages();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const isWide = useLocation({ select: ({ pathname }) => WIDE_VIEWS.has(pathname) });
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_1fr]">
      <a
        href="#content"
        className="bg-accent text-on-accent absolute -top-20 left-2 z-20 rounded-lg px-3 py-2 focus:top-2"
      >
        {actions.skip}
      </a>
      <aside className="border-line bg-surface flex flex-col border-b lg:sticky lg:top-0 lg:h-dvh lg:border-r lg:border-b-0">
        <div className="flex items-center justify-between px-4 py-3 sm:px-8 lg:px-4 lg:py-5">
          <Brand />
          <button
            type="button"
            aria-label={actions.menu}
            aria-expanded={isMenuOpen}
            onClick={() => setMenuOpen(!isMenuOpen)}
            className="hover:bg-raised touch:p-3.5 touch:-mr-2 rounded-lg p-2 lg:hidden"
          >
            <Icon name={isMenuOpen ? 'close' : 'menu'} />
          </button>
        </div>
        <div
          className={`${isMenuOpen ? 'flex' : 'hidden'} min-h-0 flex-1 flex-col justify-between gap-6 overflow-y-auto px-4 pb-4 sm:px-8 lg:flex lg:px-3`}
        >
          <div>
            <PaletteButton />
            <Navigation onLeave={() => setMenuOpen(false)} />
          </div>
          <div className="flex flex-col gap-3">
            <Preferences />
            <SignedInUser onLeave={() => setMenuOpen(false)} />
          </div>
        </div>
      </aside>
      <main id="content" tabIndex={-1} className="min-w-0 px-4 py-6 outline-none sm:px-8 lg:py-8">
        <div className={isWide ? 'max-w-[160rem]' : 'max-w-[112rem]'}>
          <View />
        </div>
      </main>
    </div>
  );
}

/** Filters and buttons depend on who looks: nothing is drawn that they would push aside. */
function View() {
  const isKnown = !useMe().isPending;
  return useAreProjectsKnown() && isKnown ? <Outlet /> : <Skeleton lines={8} />;
}

function SignedInUser({ onLeave }: { readonly onLeave: () => void }) {
  const { actions, navigation } = useMessages();
  const queries = useQueryClient();
  const me = useMe();
  return (
    <div className="border-line flex items-center justify-between gap-2 border-t pt-3">
      <Link
        to="/account"
        onClick={onLeave}
        title={navigation.account}
        className="text-muted hover:text-ink touch:py-3.5 min-w-0 truncate px-1 text-xs"
      >
        {me.data?.email}
      </Link>
      <button
        type="button"
        className="text-muted hover:bg-raised hover:text-ink touch:min-h-11 rounded-lg px-2 py-1 text-xs whitespace-nowrap"
        onClick={() => {
          // The session ends here at once, whether or not the request to end it on the server succeeds.
          void api
            .post('/api/v1/auth/logout')
            .catch(() => undefined)
            .finally(() => {
              session.end();
              queries.clear();
            });
        }}
      >
        {actions.signOut}
      </button>
    </div>
  );
}
