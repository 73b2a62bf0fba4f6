import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api/query-client.js';
import { selectedKey } from './api/selected-key.js';
import { session } from './api/session.js';
import { followTheme } from './layout/theme.js';
import { announceLanguage } from './messages/use-messages.js';
import { router } from './router.js';
import './styles.css';

followTheme();
announceLanguage();
session.watch(() => {
  // Whoever signs in next in this tab finds nothing of who was here before.
  if (!session.isOpen) selectedKey.take(undefined);
  queries.clear();
  void router.invalidate();
});

/** Nobody has done anything yet when the page is drawn first. Beside the views: a new session draws those anew. */
const Toasts = lazy(() => import('./layout/toasts.js'));

const root = document.getElementById('root');
if (root === null) throw new Error('The document has no element to draw into.');
const page = createRoot(root);
void session.join().finally(() =>
  page.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Suspense fallback={null}>
          <Toasts />
        </Suspense>
      </QueryClientProvider>
    </StrictMode>,
  ),
);
