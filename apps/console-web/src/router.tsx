import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { queries } from './api/query-client.js';
import { writeSearch } from './api/read-search.js';
import { session } from './api/session.js';
import { ME } from './api/use-me.js';
import { PROJECTS } from './api/use-projects.js';
import { Skeleton } from './components/skeleton.js';
import { readListSearch } from './components/use-sorting.js';
import { Administration } from './layout/administration.js';
import { BrokenView } from './layout/broken-view.js';
import { NotFound } from './layout/not-found.js';
import { Shell } from './layout/shell.js';
import { readAlertSearch } from './views/alerts/alert-search.js';
import { readAuditSearch } from './views/audit/audit-search.js';
import { readLoginSearch } from './views/login/login-search.js';
import { readLogSearch } from './views/logs/log-search.js';
import { startOverview } from './views/overview/start-overview.js';
import { readPlaygroundSearch } from './views/playground/playground-search.js';
import { readTokenSearch } from './views/tokens/token-search.js';
import { readTaskSearch } from './views/tasks/task-search.js';
import { readLedgerSearch } from './views/wallets/ledger-search.js';

const root = createRootRoute();

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazyRouteComponent(() => import('./views/login/login-view.js'), 'LoginView'),
  validateSearch: readLoginSearch,
});

const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyRouteComponent(() => import('./views/join/join-view.js'), 'JoinView'),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  beforeLoad: ({ location }) => {
    if (!session.isOpen) throw redirect({ to: '/login', search: { to: location.href }, replace: true });
  },
  // Every view waits to know who looks: that is asked while its script is loaded.
  loader: () => {
    void queries.prefetchQuery(ME);
    void queries.prefetchQuery(PROJECTS);
  },
});

/** Views whose routes are for administrators. */
const administration = createRoute({
  getParentRoute: () => signedIn,
  id: 'administration',
  component: Administration,
});

const parent = { getParentRoute: () => signedIn } as const;
const administratorsParent = { getParentRoute: () => administration } as const;

const views = [
  createRoute({
    ...parent,
    path: '/',
    loader: () => startOverview(queries),
    component: lazyRouteComponent(() => import('./views/overview/overview-view.js'), 'OverviewView'),
  }),
  createRoute({
    ...parent,
    path: '/playground',
    validateSearch: readPlaygroundSearch,
    component: lazyRouteComponent(() => import('./views/playground/playground-view.js'), 'PlaygroundView'),
  }),
  createRoute({
    ...parent,
    path: '/tokens',
    validateSearch: readTokenSearch,
    component: lazyRouteComponent(() => import('./views/tokens/tokens-view.js'), 'TokensView'),
  }),
  createRoute({
    ...parent,
    path: '/tokens/$tokenId',
    component: lazyRouteComponent(() => import('./views/tokens/token-view.js'), 'TokenView'),
  }),
  createRoute({
    ...parent,
    path: '/wallets',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('./views/wallets/wallets-view.js'), 'WalletsView'),
  }),
  createRoute({
    ...parent,
    path: '/wallets/$walletId',
    validateSearch: readLedgerSearch,
    component: lazyRouteComponent(() => import('./views/wallets/ledger-view.js'), 'LedgerView'),
  }),
  createRoute({
    ...parent,
    path: '/projects',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('./views/projects/projects-view.js'), 'ProjectsView'),
  }),
  createRoute({
    ...parent,
    path: '/projects/$projectId',
    component: lazyRouteComponent(() => import('./views/projects/project-view.js'), 'ProjectView'),
  }),
  createRoute({
    ...parent,
    path: '/logs',
    validateSearch: readLogSearch,
    component: lazyRouteComponent(() => import('./views/logs/logs-view.js'), 'LogsView'),
  }),
  createRoute({
    ...parent,
    path: '/tasks',
    validateSearch: readTaskSearch,
    component: lazyRouteComponent(() => import('./views/tasks/tasks-view.js'), 'TasksView'),
  }),
  createRoute({
    ...parent,
    path: '/models',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('./views/models/models-view.js'), 'ModelsView'),
  }),
  createRoute({
    ...parent,
    path: '/account',
    component: lazyRouteComponent(() => import('./views/account/account-view.js'), 'AccountView'),
  }),
] as const;

const administratorsViews = [
  createRoute({
    ...administratorsParent,
    path: '/channels',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('./views/channels/channels-view.js'), 'ChannelsView'),
  }),
  createRoute({
    ...administratorsParent,
    path: '/channels/$channelId',
    component: lazyRouteComponent(() => import('./views/channels/channel-view.js'), 'ChannelView'),
  }),
  createRoute({
    ...administratorsParent,
    path: '/users',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('./views/users/users-view.js'), 'UsersView'),
  }),
  createRoute({
    ...administratorsParent,
    path: '/users/$userId',
    component: lazyRouteComponent(() => import('./views/users/user-view.js'), 'UserView'),
  }),
  createRoute({
    ...administratorsParent,
    path: '/audit',
    validateSearch: readAuditSearch,
    component: lazyRouteComponent(() => import('./views/audit/audit-view.js'), 'AuditView'),
  }),
  createRoute({
    ...administratorsParent,
    path: '/codes',
    component: lazyRouteComponent(() => import('./views/codes/codes-view.js'), 'CodesView'),
  }),
  createRoute({
    ...administratorsParent,
    path: '/waste',
    component: lazyRouteComponent(() => import('./views/waste/waste-view.js'), 'WasteView'),
  }),
  createRoute({
    ...administratorsParent,
    path: '/health',
    component: lazyRouteComponent(() => import('./views/system/system-view.js'), 'SystemView'),
  }),
  createRoute({
    ...administratorsParent,
    path: '/alerts',
    validateSearch: readAlertSearch,
    component: lazyRouteComponent(() => import('./views/alerts/alerts-view.js'), 'AlertsView'),
  }),
  createRoute({
    ...administratorsParent,
    path: '/settings',
    component: lazyRouteComponent(() => import('./views/settings/settings-view.js'), 'SettingsView'),
  }),
] as const;

/** An address that no view has: the navigation stays. */
const unknown = createRoute({ ...parent, path: '$', component: NotFound });

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    join,
    signedIn.addChildren([...views, administration.addChildren(administratorsViews), unknown]),
  ]),
  // Search fields are texts, as they are written: by default a text that looks like a number gets quotes.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: writeSearch,
  defaultPendingComponent: Skeleton,
  defaultErrorComponent: BrokenView,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
