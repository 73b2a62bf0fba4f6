import { lazy, startTransition, Suspense, useEffect, useState } from 'react';
import { Icon } from '../components/icon.js';
import { useMessages } from '../messages/use-messages.js';

/** What it is made of is loaded when it is first opened. */
const CommandPalette = lazy(() => import('./command-palette.js'));

/** Opens the search for views and rows, as Ctrl+K and ⌘K do. */
export function PaletteButton() {
  const { palette: messages } = useMessages();
  const [isOpen, setOpen] = useState(false);
  // Shown as soon as it is loaded: outside a transition React holds back what replaces a fallback.
  const open = () => startTransition(() => setOpen(true));
  useEffect(() => {
    const openByKeys = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', openByKeys);
    return () => document.removeEventListener('keydown', openByKeys);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K"
        className="border-edge text-muted hover:text-ink mb-3 flex w-full touch:min-h-11 items-center gap-2 rounded-lg border px-3 py-1.5 text-xs"
        onClick={open}
      >
        <Icon name="search" />
        <span className="flex-1 text-left">{messages.title}</span>
        {/* Drawn alone: readers are told by `aria-keyshortcuts`. */}
        <kbd
          aria-hidden="true"
          data-keys={messages.keys}
          className="font-mono before:content-[attr(data-keys)] touch:hidden"
        />
      </button>
      <Suspense>{isOpen && <CommandPalette onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
