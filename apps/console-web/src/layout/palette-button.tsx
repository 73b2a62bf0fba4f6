import { lazy, Suspense, useEffect, useState } from 'react';
import { Icon } from '../components/icon.js';
import { useMessages } from '../messages/use-messages.js';

/** What it is made of is loaded when it is first opened. */
const CommandPalette = lazy(() => import('./command-palette.js'));

/** Opens the search for views and rows, as Ctrl+K and ⌘K do. */
export function PaletteButton() {
  const { palette: messages } = useMessages();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', open);
    return () => document.removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K"
        className="border-edge text-muted hover:text-ink mb-3 flex w-full touch:min-h-11 items-center gap-2 rounded-lg border px-3 py-1.5 text-xs"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span className="flex-1 text-left">{messages.title}</span>
        {/* Drawn alone: readers are told by `aria-keyshortcuts`. */}
        <kbd
          aria-hidden="true"
          data-keys={messages.keys}
          className="font-mono before:content-[attr(data-keys)]"
        />
      </button>
      {isOpen && (
        <Suspense>
          <CommandPalette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
