import {
  Activity,
  Bell,
  Box,
  Cable,
  Calendar,
  Check,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  Clapperboard,
  Copy,
  FileClock,
  FolderKanban,
  KeyRound,
  LayoutDashboard,
  Menu,
  MessageSquareText,
  Plus,
  Search,
  SlidersHorizontal,
  TextAlignStart,
  Ticket,
  Trash2,
  Users,
  Wallet,
  X,
} from 'lucide-react';

/** By what they stand for here. Each is named, so that the build holds these alone: https://lucide.dev/icons */
const ICONS = {
  overview: LayoutDashboard,
  playground: MessageSquareText,
  tokens: KeyRound,
  wallets: Wallet,
  projects: FolderKanban,
  logs: TextAlignStart,
  tasks: Clapperboard,
  models: Box,
  channels: Cable,
  users: Users,
  codes: Ticket,
  audit: FileClock,
  waste: Trash2,
  health: Activity,
  alerts: Bell,
  settings: SlidersHorizontal,
  copy: Copy,
  check: Check,
  choose: ChevronDown,
  calendar: Calendar,
  previous: ChevronLeft,
  next: ChevronRight,
  close: X,
  menu: Menu,
  plus: Plus,
  search: Search,
} as const;

type IconName = keyof typeof ICONS;

/** A drawing beside a text or on a button that has a name: readers are not told of it. */
export function Icon({ name }: { readonly name: IconName }) {
  const Drawing = ICONS[name];
  return <Drawing aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.8} />;
}
