/** Outlines on a grid of 24. */
const PATHS = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  playground: 'M5 5h14v10H9l-4 4zM9 9h6M9 12h4',
  tokens: 'M15 7a4 4 0 1 1-3.5 5.9L4 20.500v-3l3-.5.500-3 2.100-2A4 4 0 0 1 15 7M16 10h.01',
  wallets: 'M4 7h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H4zM4 7V5a1 1 0 0 1 1-1h11v3M16 13.500h.01',
  projects: 'M4 7a1 1 0 0 1 1-1h5l2 2h7a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM9 13h6M12 10v6',
  logs: 'M5 6h14M5 12h14M5 18h9',
  tasks: 'M4 6h11v12H4zM15 10l5-3v10l-5-3',
  models: 'M12 3l8 4.500v9L12 21l-8-4.500v-9zM4 7.500l8 4.500 8-4.500M12 12v9',
  channels: 'M6 4v6a4 4 0 0 0 4 4h8M18 14l-3-3M18 14l-3 3M6 14v6',
  users:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7M3 20a6 6 0 0 1 12 0M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.500a6 6 0 0 1 3 5.500',
  codes: 'M4 8h16v3a2 2 0 0 0 0 4v3H4v-3a2 2 0 0 0 0-4zM10 8v10',
  audit: 'M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5',
  waste: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5',
  health: 'M3 12h4l2.500-6 4 12 2.500-6h5',
  alerts: 'M6 16v-5a6 6 0 0 1 12 0v5l1.500 2h-15zM10 18a2 2 0 0 0 4 0',
  settings:
    'M4 7h10M18 7h2M4 17h2M10 17h10M16 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5M8 19.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5',
  account: 'M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M5 21a7 7 0 0 1 14 0',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.500l4.500 4.500L19 7',
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  plus: 'M12 5v14M5 12h14',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13M15.500 15.500L20 20',
} as const;

type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className="size-4 shrink-0 fill-none stroke-current stroke-[1.8] [stroke-linecap:round] [stroke-linejoin:round]"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
