import { useNavigate } from '@tanstack/react-router';
import { CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from 'cmdk';
import { useDeferredValue, useId, useState } from 'react';
import { INPUT } from '../components/field.js';
import { Dialog } from '../components/modal.js';
import { useMessages } from '../messages/use-messages.js';
import { useDestinations } from './use-destinations.js';

/** Goes to a view, a key, a wallet, a project, a user or a channel by a part of its name. */
export default function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const { palette: messages } = useMessages();
  const navigate = useNavigate();
  const hintId = useId();
  const [text, setText] = useState('');
  const { groups, isSearching } = useDestinations(useDeferredValue(text));
  const [chosen, setChosen] = useState('');
  const addresses = groups.flatMap(({ destinations }) => destinations.map(({ address }) => address));
  return (
    <Dialog title={messages.title} onClose={onClose}>
      {/* Rows are searched by the API, so nothing is left to filter here. */}
      <CommandRoot
        label={messages.label}
        shouldFilter={false}
        vimBindings={false}
        loop
        // The first one where the chosen one is gone: of what goes at once cmdk looks at the last alone.
        value={addresses.includes(chosen) ? chosen : (addresses[0] ?? '')}
        onValueChange={setChosen}
      >
        <CommandInput
          autoFocus
          aria-describedby={hintId}
          className={INPUT}
          value={text}
          onValueChange={setText}
        />
        <p id={hintId} className="text-muted mt-2.5 text-xs">
          {messages.hint}
        </p>
        {/* As high with one result as with many: what is below the pointer stays there. */}
        <CommandList label={messages.title} className="-mx-3 mt-3 h-80 overflow-y-auto overscroll-contain">
          {groups.map(({ heading, destinations }) => (
            <CommandGroup
              key={heading}
              heading={heading}
              className="[&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium"
            >
              {destinations.map(({ address, name, kind, hint }) => (
                <CommandItem
                  key={address}
                  value={address}
                  className="data-[selected=true]:bg-raised touch:py-3 flex cursor-pointer flex-wrap items-baseline gap-x-2 rounded-lg px-3 py-1.5"
                  onSelect={() => {
                    onClose();
                    void navigate({ to: address });
                  }}
                >
                  <span className="line-clamp-2 max-w-full wrap-anywhere" title={name}>
                    {name}
                  </span>
                  {/* The heading says it to those who see it. */}
                  {kind !== undefined && <span className="sr-only">{kind}</span>}
                  {hint !== undefined && (
                    <span className="text-muted font-mono text-xs whitespace-nowrap">{hint}</span>
                  )}
                </CommandItem>
              ))}
            </CommandGroup>
          ))}
          {!isSearching && <CommandEmpty className="text-muted px-3 py-6">{messages.none}</CommandEmpty>}
        </CommandList>
      </CommandRoot>
    </Dialog>
  );
}
