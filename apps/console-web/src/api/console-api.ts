/* oxlint-disable max-lines -- generated: `npm run openapi` regenerates it */
// Made of libs/planes/console/openapi.json, sha256 416488bbf1f5c6ed0ebc895313053ff041a32a7ac1c42864130c22f0595a937f.
export interface paths {
  readonly '/api/v1/auth/login': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Sign in; a device cookie exempts this browser from limits that others’ password guesses reach */
    readonly post: operations['AuthController_login'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/auth/refresh': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Renew a session; a refresh token is good once, and one used twice ends its session */
    readonly post: operations['AuthController_refresh'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/auth/logout': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** End this session */
    readonly post: operations['AuthController_logout'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/me': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** The caller */
    readonly get: operations['MeController_show'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/me/password': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Change the password; ends every session and opens a new one */
    readonly post: operations['MeController_changePassword'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/me/sessions': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** The caller's sessions */
    readonly get: operations['SessionListsController_listOwn'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/me/sessions/{id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /** End a session of the caller's */
    readonly delete: operations['SessionListsController_endOwn'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/users/{id}/sessions': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A user's sessions */
    readonly get: operations['SessionListsController_list'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/users/{id}/sessions/{session_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /** End a user's session */
    readonly delete: operations['SessionListsController_end'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/me/totp': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** The caller's second factor */
    readonly get: operations['TotpController_showOwn'];
    readonly put?: never;
    /** Begin to set a second factor up; the secret is in this answer only, and counts once it is confirmed */
    readonly post: operations['TotpController_begin'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/me/totp/confirm': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Confirm a second factor by a code; ends every session and opens a new one */
    readonly post: operations['TotpController_confirm'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/me/totp/disable': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Sign in without a second factor again */
    readonly post: operations['TotpController_disable'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/users/{id}/totp': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A user's second factor */
    readonly get: operations['TotpController_show'];
    readonly put?: never;
    readonly post?: never;
    /** Take another user's second factor away; ends all their sessions */
    readonly delete: operations['TotpController_reset'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/auth/sso/start': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Begin a single sign-on: where the browser goes, and a cookie that it comes back with */
    readonly post: operations['SsoController_start'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/auth/sso/callback': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Where the issuer sends browsers back to; redirects to the page with a code, or the reason for none */
    readonly get: operations['SsoController_finish'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/auth/sso/exchange': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Open the session of a single sign-on; a code is good once */
    readonly post: operations['SsoController_exchange'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/me/sso': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Whether the caller may sign in by single sign-on */
    readonly get: operations['SsoLinkController_show'];
    readonly put?: never;
    /** Begin to link the caller to who they are at the issuer; it goes on as a single sign-on does */
    readonly post: operations['SsoLinkController_link'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/projects': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Projects that the caller is in; all for administrators */
    readonly get: operations['ProjectsController_list'];
    readonly put?: never;
    /** Create a project with a wallet of its own, or one that there is */
    readonly post: operations['ProjectsController_create'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/projects/{id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A project */
    readonly get: operations['ProjectsController_show'];
    readonly put?: never;
    readonly post?: never;
    /** End a project: its keys are disabled, its wallet stays */
    readonly delete: operations['ProjectsController_delete'];
    readonly options?: never;
    readonly head?: never;
    /** Rename a project; for its owners */
    readonly patch: operations['ProjectsController_change'];
    readonly trace?: never;
  };
  readonly '/api/v1/projects/{id}/groups': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Values of the claim of single sign-on that let into a project */
    readonly get: operations['ProjectsController_listGroups'];
    /** Replace the values of the claim that let into a project, from the next sign-in on */
    readonly put: operations['ProjectsController_setGroups'];
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/projects/{id}/members': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Who is in a project, 200 at most; members see themselves alone */
    readonly get: operations['ProjectsController_listMembers'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/projects/{id}/members/{user_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    /** Give a member another role; administrators let anybody in. For owners of the project */
    readonly put: operations['ProjectsController_setMember'];
    readonly post?: never;
    /** Take a member out, whose keys there are disabled; for owners of the project, and for oneself */
    readonly delete: operations['ProjectsController_removeMember'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/users': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Users */
    readonly get: operations['UsersController_list'];
    readonly put?: never;
    /** Create a user with a wallet of their own */
    readonly post: operations['UsersController_create'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/users/{id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A user */
    readonly get: operations['UsersController_show'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /** Change a user */
    readonly patch: operations['UsersController_change'];
    readonly trace?: never;
  };
  readonly '/api/v1/wallets': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Wallets */
    readonly get: operations['WalletsController_list'];
    readonly put?: never;
    /** Open an empty wallet, of a user or of the operator's, which a new project may take */
    readonly post: operations['WalletsController_create'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/wallets/totals': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** What all wallets hold together */
    readonly get: operations['WalletsController_total'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/wallets/{id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A wallet */
    readonly get: operations['WalletsController_show'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /** Change how far a wallet may go below zero, its limits, its budgets and when it counts as low */
    readonly patch: operations['WalletsController_change'];
    readonly trace?: never;
  };
  readonly '/api/v1/wallets/{id}/topups': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Put money in, or take it out; once for each idempotency key */
    readonly post: operations['WalletsController_topUp'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/wallets/{id}/entries': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A wallet's ledger, newest first */
    readonly get: operations['LedgerController_list'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/wallets/{id}/entries.csv': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A wallet's ledger as CSV, newest first */
    readonly get: operations['LedgerController_exportOne'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/ledger.csv': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** The ledger of all wallets as CSV, newest first */
    readonly get: operations['LedgerController_exportAll'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/projects/{id}/invitations': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Invitations that are open, 50 at most; for owners */
    readonly get: operations['InvitationsController_list'];
    readonly put?: never;
    /** Invite somebody by a link, which is good once; its secret is in this answer only. For owners */
    readonly post: operations['InvitationsController_create'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/projects/{id}/invitations/{invitation_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /** Take an invitation back that nobody has used; for owners */
    readonly delete: operations['InvitationsController_delete'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/invitations/look': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** What an invitation is to */
    readonly post: operations['InvitationsController_look'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/invitations/accept': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Join the project of an invitation */
    readonly post: operations['InvitationsController_accept'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/invitations/register': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Become a user by an invitation: joins its project and opens a session */
    readonly post: operations['InvitationsController_register'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/tokens': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** API keys */
    readonly get: operations['TokensController_list'];
    readonly put?: never;
    /** Create an API key; its text is in this answer only */
    readonly post: operations['TokensController_create'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/tokens/{id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** An API key */
    readonly get: operations['TokensController_show'];
    readonly put?: never;
    readonly post?: never;
    /** Delete an API key; it stops at once */
    readonly delete: operations['TokensController_delete'];
    readonly options?: never;
    readonly head?: never;
    /** Change an API key */
    readonly patch: operations['TokensController_change'];
    readonly trace?: never;
  };
  readonly '/api/v1/tokens/{id}/rotate': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Give a token a new key; the old one stops at once, or after a grace period */
    readonly post: operations['TokensController_rotate'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/budgets': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Budgets of several keys, wallets and users; of those that the caller may not see, none */
    readonly get: operations['BudgetsController_ofMany'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/tokens/{id}/budgets': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** An API key's budgets and what is spent of them */
    readonly get: operations['BudgetsController_ofToken'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/wallets/{id}/budgets': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A wallet's budgets and what is spent of them */
    readonly get: operations['BudgetsController_ofWallet'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/users/{id}/budgets': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A user's budgets and what is spent of them */
    readonly get: operations['BudgetsController_ofUser'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/channels': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Channels */
    readonly get: operations['ChannelsController_list'];
    readonly put?: never;
    /** Create a channel */
    readonly post: operations['ChannelsController_create'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/channels/{id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A channel */
    readonly get: operations['ChannelsController_show'];
    readonly put?: never;
    readonly post?: never;
    /** Delete a channel with its credentials */
    readonly delete: operations['ChannelsController_delete'];
    readonly options?: never;
    readonly head?: never;
    /** Change a channel */
    readonly patch: operations['ChannelsController_change'];
    readonly trace?: never;
  };
  readonly '/api/v1/channels/{id}/test': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Try a channel with one tiny call to its upstream */
    readonly post: operations['ChannelsController_test'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/channels/{id}/keys': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Add a key to those that calls of a channel take turns at */
    readonly post: operations['ChannelKeysController_add'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/channels/{id}/keys/{key_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /** Forget one of a channel's keys */
    readonly delete: operations['ChannelKeysController_remove'];
    readonly options?: never;
    readonly head?: never;
    /** Disable or enable one of a channel's keys; what was begun with it goes on */
    readonly patch: operations['ChannelKeysController_change'];
    readonly trace?: never;
  };
  readonly '/api/v1/channels/{id}/discover': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Ask a channel's provider which models there are; changes nothing */
    readonly post: operations['ChannelModelsController_discover'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/channels/{id}/models': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Have a channel serve models; those that there are not are made, with their prices, all or none */
    readonly post: operations['ChannelModelsController_add'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/channel-types': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Types of channel */
    readonly get: operations['ChannelTypesController_list'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/models': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Models with the prices in force */
    readonly get: operations['ModelsController_list'];
    readonly put?: never;
    /** Create a model */
    readonly post: operations['ModelsController_create'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/models/{path}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A model with all its prices */
    readonly get: operations['ModelsController_show'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /** Change a model; a changed price starts a new price version */
    readonly patch: operations['ModelsController_change'];
    readonly trace?: never;
  };
  readonly '/api/v1/catalog': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Models that can be called, with the prices in force */
    readonly get: operations['CatalogController_list'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/price-imports': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Compare a file of prices with those in force; changes none */
    readonly post: operations['PriceImportController_review'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/price-imports/{id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** What a file of prices changes */
    readonly get: operations['PriceImportController_show'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/price-imports/{id}/apply': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Put the new and the changed prices in force; calls keep the price they were admitted under */
    readonly post: operations['PriceImportController_apply'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/logs': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Calls, newest first unless sorted */
    readonly get: operations['LogsController_list'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/logs/{request_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A call */
    readonly get: operations['LogsController_show'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/logs.csv': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Calls as CSV, newest first */
    readonly get: operations['LogExportController_export'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/usage': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Calls, tokens, cost and times by day, model, token, user, project or channel, or all together */
    readonly get: operations['UsageController_show'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/usage/series': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Calls, errors, tokens, cost and times of every hour or day, for charts */
    readonly get: operations['UsageController_showSeries'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/waste': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** What upstreams may bill us for and no caller pays, by channel and reason, as an estimate */
    readonly get: operations['WasteController_show'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/tasks': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Video tasks, newest first unless sorted */
    readonly get: operations['TasksController_list'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/tasks/{id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A video task with its history */
    readonly get: operations['TasksController_show'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/tasks/{id}/content': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A link to the video of a task that succeeded */
    readonly get: operations['TaskContentsController_link'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/finished-videos/{public_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** The video of a task, whole or in ranges, by a link */
    readonly get: operations['TaskContentsController_play'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/redemption-codes': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Batches of codes, newest first */
    readonly get: operations['RedemptionController_list'];
    readonly put?: never;
    /** Create a batch of codes; their text is in this answer only */
    readonly post: operations['RedemptionController_create'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/redemption-codes/redeem': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Turn a code into balance; asking again credits once */
    readonly post: operations['RedemptionController_redeem'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/redemption-codes/{id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /** Disable or enable a batch */
    readonly patch: operations['RedemptionController_change'];
    readonly trace?: never;
  };
  readonly '/api/v1/redemption-codes/{id}/codes': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** What became of the codes of a batch */
    readonly get: operations['RedemptionController_listCodes'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/audit': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Changes, newest first */
    readonly get: operations['AuditController_list'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/alerts': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Alerts, newest first */
    readonly get: operations['AlertsController_list'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/alerts/settings': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** What operators are alerted of, and where to */
    readonly get: operations['AlertsController_show'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /** Change what operators are alerted of, and where to */
    readonly patch: operations['AlertsController_change'];
    readonly trace?: never;
  };
  readonly '/api/v1/alerts/secret': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** What webhooks of alerts are signed with */
    readonly get: operations['AlertsController_showSecret'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/alerts/test': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Send a test now, and say how it went */
    readonly post: operations['AlertsController_test'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/tokens/{id}/capture': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    /** Keep bodies of the calls of a token for a while */
    readonly put: operations['CapturesController_start'];
    readonly post?: never;
    /** Keep no more bodies of the calls of a token */
    readonly delete: operations['CapturesController_stop'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/captures': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Calls of which bodies are kept, newest first, without the bodies */
    readonly get: operations['CapturesController_list'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/captures/{request_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** The bodies of a call; the look is in the audit log */
    readonly get: operations['CapturesController_read'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/settings': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Settings in force, without secrets */
    readonly get: operations['SettingsController_show'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/settings/public': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** What a page needs before anybody is signed in */
    readonly get: operations['SettingsController_showPublic'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/system': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Planes, open holds, backlogs, ledger drift and the health of channels */
    readonly get: operations['SystemController_show'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v1/system/attempts': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** How attempts at channels went in the last hour and the last 24 hours, by model and key */
    readonly get: operations['AttemptsController_show'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    readonly Session: {
      readonly access_token: string;
      readonly refresh_token: string;
      /** @description Seconds that the access token lives. */
      readonly expires_in: number;
    };
    readonly User: {
      /** Format: uuid */
      readonly id: string;
      readonly email: string;
      readonly name: string;
      /** @enum {string} */
      readonly role: 'administrator' | 'member';
      readonly disabled: boolean;
      readonly limits: {
        /** @description Requests in any 60 seconds. */
        readonly rpm?: number;
        /** @description Requests in any 24 hours. */
        readonly rpd?: number;
        /** @description Tokens in any 60 seconds, input and output. */
        readonly tpm?: number;
        /** @description Calls at the same time. */
        readonly concurrency?: number;
      };
      readonly budgets: {
        /** @description USD of one day. */
        readonly day?: string;
        /** @description USD of one week, which begins on Monday. */
        readonly week?: string;
        /** @description USD of one month. */
        readonly month?: string;
        /** @description Whose calendar counts; UTC by default. */
        readonly timezone?: string;
      };
      /** Format: date-time */
      readonly created_at: string;
    };
    readonly OpenSession: {
      /** Format: uuid */
      readonly id: string;
      /** @description Network address that it was opened from. */
      readonly address: string;
      /** Format: date-time */
      readonly created_at: string;
      /**
       * Format: date-time
       * @description A page in use renews its session every quarter of an hour.
       */
      readonly renewed_at: string;
      /** Format: date-time */
      readonly expires_at: string;
      /** @description Whether it is the caller's own. */
      readonly current: boolean;
    };
    readonly TotpState: {
      /** @description Whether signing in takes a code. */
      readonly enabled: boolean;
      /** Format: date-time */
      readonly enabled_at: string | null;
      readonly recovery_codes_left: number;
    };
    readonly TotpSecret: {
      /** @description For the authenticator app, in Base32. */
      readonly secret: string;
      /** @description The same as a link that apps open, alone or as a QR code. */
      readonly otpauth_uri: string;
    };
    readonly TotpConfirmed: {
      /** @description Each takes the place of a code once; they are in this answer only. */
      readonly recovery_codes: readonly string[];
      readonly session: components['schemas']['Session'];
    };
    readonly SsoStart: {
      /**
       * Format: uri
       * @description The issuer’s page, which the browser is sent to.
       */
      readonly url: string;
    };
    readonly SsoState: {
      /** @description Whether the caller is linked to an identity of an issuer. */
      readonly linked: boolean;
    };
    readonly Project: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      /**
       * Format: uuid
       * @description The wallet that all the project's keys pay from.
       */
      readonly wallet_id: string;
      /**
       * @description The caller's role; null for administrators who are not in the project.
       * @enum {string|null}
       */
      readonly role: 'owner' | 'member' | 'viewer' | null;
      /** Format: date-time */
      readonly created_at: string;
    };
    readonly ProjectGroups: {
      readonly data: readonly {
        /** @description Exactly as the claim of OIDC_PROJECTS_CLAIM has it. */
        readonly value: string;
        /**
         * @description owner: manages members and all keys, sees the wallet; member: has keys, sees their own keys and calls; viewer: sees all keys and calls, changes nothing.
         * @enum {string}
         */
        readonly role: 'owner' | 'member' | 'viewer';
      }[];
    };
    readonly ProjectMember: {
      /** Format: uuid */
      readonly user_id: string;
      readonly email: string;
      readonly name: string;
      /**
       * @description owner: manages members and all keys, sees the wallet; member: has keys, sees their own keys and calls; viewer: sees all keys and calls, changes nothing.
       * @enum {string}
       */
      readonly role: 'owner' | 'member' | 'viewer';
      /**
       * @description What gave it: somebody in the Console, or a claim of single sign-on, which takes it away.
       * @enum {string}
       */
      readonly origin: 'console' | 'claim';
      /**
       * Format: date-time
       * @description Since when they are in the project.
       */
      readonly created_at: string;
    };
    readonly Wallet: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      /**
       * Format: uuid
       * @description The user whose wallet it is; null for an operator's wallet.
       */
      readonly user_id: string | null;
      /** @description USD. */
      readonly balance: string;
      /** @description USD set aside for calls that run. */
      readonly held: string;
      /** @description USD that the wallet may go below zero. */
      readonly credit_limit: string;
      /** @description USD that new calls can be admitted on: balance plus credit limit less held. */
      readonly available: string;
      readonly limits: {
        /** @description Requests in any 60 seconds. */
        readonly rpm?: number;
        /** @description Requests in any 24 hours. */
        readonly rpd?: number;
        /** @description Tokens in any 60 seconds, input and output. */
        readonly tpm?: number;
        /** @description Calls at the same time. */
        readonly concurrency?: number;
      };
      readonly budgets: {
        /** @description USD of one day. */
        readonly day?: string;
        /** @description USD of one week, which begins on Monday. */
        readonly week?: string;
        /** @description USD of one month. */
        readonly month?: string;
        /** @description Whose calendar counts; UTC by default. */
        readonly timezone?: string;
      };
      /** @description USD, credit limit included, below which operators are alerted; null: as the alert rule says. */
      readonly alert_below: string | null;
      /** Format: date-time */
      readonly created_at: string;
    };
    readonly WalletTotals: {
      readonly count: number;
      /** @description USD. */
      readonly balance: string;
      readonly held: string;
      readonly available: string;
    };
    readonly LedgerEntry: {
      readonly id: string;
      /** Format: date-time */
      readonly created_at: string;
      /** @enum {string} */
      readonly kind: 'charge' | 'refund' | 'topup' | 'adjust' | 'late_charge' | 'true_up' | 'waste';
      /** @description USD, signed: what the wallet gained. */
      readonly amount: string;
      readonly balance_after: string;
      readonly request_id: string | null;
      readonly task_id: string | null;
      readonly note: string;
      /** @description The note, phrase by phrase. */
      readonly note_phrases: readonly components['schemas']['Phrase'][];
    };
    readonly Phrase: {
      /**
       * @description other: text that is no phrase, as words of a provider are not.
       * @enum {string}
       */
      readonly code:
        | 'fallback_failure'
        | 'fallback_context'
        | 'fallback_refusal'
        | 'priority'
        | 'only_one'
        | 'by_weight'
        | 'kept_for_conversation'
        | 'holds_cached_content'
        | 'holds_response'
        | 'latency_unmeasured'
        | 'latency_to_first_event'
        | 'latency_to_answer'
        | 'calls_in_flight'
        | 'price_unknown'
        | 'price_of_tokens'
        | 'weight'
        | 'place'
        | 'after_one'
        | 'after_others'
        | 'another_key'
        | 'one_before_late'
        | 'native_batch'
        | 'response_not_begun'
        | 'response_of_session'
        | 'transcript_of_session'
        | 'limit_rpm'
        | 'limit_rpd'
        | 'limit_tpm'
        | 'limit_concurrency'
        | 'call_took_its_time'
        | 'another_call_tries'
        | 'too_many_retries'
        | 'goes_on_upstream'
        | 'forgotten_upstream'
        | 'dropped'
        | 'status_said'
        | 'status'
        | 'probe'
        | 'content_refused'
        | 'answered_sooner'
        | 'outcome_unknown'
        | 'unreachable_by'
        | 'unreachable'
        | 'upstream_unreachable'
        | 'no_answer_in_time_by'
        | 'no_answer_in_time'
        | 'no_whole_answer'
        | 'no_event'
        | 'silence'
        | 'connection_broke_by'
        | 'connection_broke'
        | 'ended_by_gateway_by'
        | 'ended_by_gateway'
        | 'token_server_status'
        | 'token_server_unreachable'
        | 'answered_nothing'
        | 'stream_empty'
        | 'stream_error'
        | 'stream_failed'
        | 'stream_ended'
        | 'event_unreadable'
        | 'broke_off'
        | 'answer_too_large'
        | 'unreadable'
        | 'no_session'
        | 'no_session_in_time'
        | 'session_closed'
        | 'cost_held'
        | 'to_channel'
        | 'left_out'
        | 'submit_lost'
        | 'arrival_unknown'
        | 'found_at_provider'
        | 'no_such_job'
        | 'channel_refused'
        | 'upstream_refused'
        | 'upstream_limited'
        | 'no_channel'
        | 'poll_failed'
        | 'no_video_channel'
        | 'provider_answered'
        | 'not_submitted'
        | 'order_withdrawn'
        | 'cancelled_before_submit'
        | 'cancelled_at_provider'
        | 'channel_deleted'
        | 'ended_by_provider'
        | 'submit_not_found'
        | 'no_result'
        | 'made_and_kept'
        | 'made'
        | 'no_json'
        | 'upstream_answered'
        | 'upstream_answered_alone'
        | 'keys_disabled'
        | 'channel_gone'
        | 'serves_no_model'
        | 'no_model_list'
        | 'no_chat_model'
        | 'model_unknown'
        | 'model_of_other_kind'
        | 'model_unpriced'
        | 'model_not_allowed'
        | 'model_unserved'
        | 'no_channel_tried'
        | 'wallet_empty'
        | 'wallet_short'
        | 'quota_short'
        | 'budget_short'
        | 'key_invalid'
        | 'key_expired'
        | 'key_disabled'
        | 'key_over'
        | 'too_many_calls'
        | 'body_too_large'
        | 'upstream_over_limits'
        | 'upstream_status'
        | 'upstream_failed_by'
        | 'upstream_failed'
        | 'model_refused'
        | 'billing_silent'
        | 'billing_unreachable'
        | 'gateway_stopping'
        | 'task_cancelled'
        | 'video_late'
        | 'video_channel_gone'
        | 'no_public_address'
        | 'receiver_status'
        | 'redemption_code_of'
        | 'redemption_code'
        | 'opening_balance'
        | 'other';
      /** @description What the phrase says in particular; of other, the text. */
      readonly values: readonly string[];
    };
    readonly Invitation: {
      /** Format: uuid */
      readonly id: string;
      /** @enum {string} */
      readonly role: 'owner' | 'member' | 'viewer';
      readonly email: string | null;
      /** Format: uuid */
      readonly created_by: string;
      /** Format: date-time */
      readonly created_at: string;
      /** Format: date-time */
      readonly expires_at: string;
    };
    readonly InvitationWithToken: {
      /** Format: uuid */
      readonly id: string;
      /** @enum {string} */
      readonly role: 'owner' | 'member' | 'viewer';
      readonly email: string | null;
      /** Format: uuid */
      readonly created_by: string;
      /** Format: date-time */
      readonly created_at: string;
      /** Format: date-time */
      readonly expires_at: string;
      /** @description Shown here once. The link is `/join#` with it, where the Console is opened. */
      readonly token: string;
    };
    readonly ShownInvitation: {
      readonly project_name: string;
      /** @enum {string} */
      readonly role: 'owner' | 'member' | 'viewer';
      /** @description Whom it is for; null: whoever has the link. */
      readonly email: string | null;
      /** Format: date-time */
      readonly expires_at: string;
    };
    readonly Token: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      /** Format: uuid */
      readonly user_id: string;
      /** Format: uuid */
      readonly wallet_id: string;
      /** @description The ends of the key, to recognise it by. */
      readonly key_hint: string;
      /**
       * Format: date-time
       * @description Until when the key before the last rotation works, too; null: it does not.
       */
      readonly former_key_until: string | null;
      readonly allowed_models: readonly string[] | null;
      readonly allowed_ips: readonly string[] | null;
      readonly spending_quota: string | null;
      /** @description USD spent. */
      readonly used: string;
      /** @description USD set aside for calls that run. */
      readonly held: string;
      /** Format: date-time */
      readonly expires_at: string | null;
      readonly disabled: boolean;
      /**
       * @description As what somebody disabled it: whoever may less cannot enable it. null: enabled, or anybody who may change it.
       * @enum {string|null}
       */
      readonly disabled_by: 'user' | 'owner' | 'administrator' | null;
      readonly limits: {
        /** @description Requests in any 60 seconds. */
        readonly rpm?: number;
        /** @description Requests in any 24 hours. */
        readonly rpd?: number;
        /** @description Tokens in any 60 seconds, input and output. */
        readonly tpm?: number;
        /** @description Calls at the same time. */
        readonly concurrency?: number;
      };
      readonly budgets: {
        /** @description USD of one day. */
        readonly day?: string;
        /** @description USD of one week, which begins on Monday. */
        readonly week?: string;
        /** @description USD of one month. */
        readonly month?: string;
        /** @description Whose calendar counts; UTC by default. */
        readonly timezone?: string;
      };
      readonly cache: string | null;
      /** @description Whether bodies of its calls are kept, encrypted, for administrators to look at. */
      readonly capture: {
        /** @description How long each body is kept. */
        readonly keep_seconds: number;
        /**
         * Format: date-time
         * @description null: for as long as the configuration file says so.
         */
        readonly until: string | null;
      } | null;
      readonly default_model: string | null;
      readonly store_responses: boolean;
      /** Format: date-time */
      readonly created_at: string;
    };
    readonly TokenWithKey: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      /** Format: uuid */
      readonly user_id: string;
      /** Format: uuid */
      readonly wallet_id: string;
      /** @description The ends of the key, to recognise it by. */
      readonly key_hint: string;
      /**
       * Format: date-time
       * @description Until when the key before the last rotation works, too; null: it does not.
       */
      readonly former_key_until: string | null;
      readonly allowed_models: readonly string[] | null;
      readonly allowed_ips: readonly string[] | null;
      readonly spending_quota: string | null;
      /** @description USD spent. */
      readonly used: string;
      /** @description USD set aside for calls that run. */
      readonly held: string;
      /** Format: date-time */
      readonly expires_at: string | null;
      readonly disabled: boolean;
      /**
       * @description As what somebody disabled it: whoever may less cannot enable it. null: enabled, or anybody who may change it.
       * @enum {string|null}
       */
      readonly disabled_by: 'user' | 'owner' | 'administrator' | null;
      readonly limits: {
        /** @description Requests in any 60 seconds. */
        readonly rpm?: number;
        /** @description Requests in any 24 hours. */
        readonly rpd?: number;
        /** @description Tokens in any 60 seconds, input and output. */
        readonly tpm?: number;
        /** @description Calls at the same time. */
        readonly concurrency?: number;
      };
      readonly budgets: {
        /** @description USD of one day. */
        readonly day?: string;
        /** @description USD of one week, which begins on Monday. */
        readonly week?: string;
        /** @description USD of one month. */
        readonly month?: string;
        /** @description Whose calendar counts; UTC by default. */
        readonly timezone?: string;
      };
      readonly cache: string | null;
      /** @description Whether bodies of its calls are kept, encrypted, for administrators to look at. */
      readonly capture: {
        /** @description How long each body is kept. */
        readonly keep_seconds: number;
        /**
         * Format: date-time
         * @description null: for as long as the configuration file says so.
         */
        readonly until: string | null;
      } | null;
      readonly default_model: string | null;
      readonly store_responses: boolean;
      /** Format: date-time */
      readonly created_at: string;
      /** @description Shown here once. */
      readonly key: string;
    };
    readonly Budget: {
      /**
       * Format: uuid
       * @description The key, wallet or user whose it is.
       */
      readonly subject_id: string;
      /** @enum {string} */
      readonly period: 'day' | 'week' | 'month';
      /** @description USD. */
      readonly amount: string;
      /** @description USD charged in the current period. */
      readonly spent: string;
      /**
       * @description near: 80 % are spent; reached: all of it is, or a call was refused for it.
       * @enum {string}
       */
      readonly state: 'ok' | 'near' | 'reached';
      readonly timezone: string;
      /** Format: date-time */
      readonly starts_at: string;
      /**
       * Format: date-time
       * @description From then on nothing is spent of it.
       */
      readonly ends_at: string;
    };
    readonly Channel: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      readonly type: string;
      readonly base_url: string | null;
      readonly key_hints: readonly string[];
      /** @description In the order of their use, by turns. */
      readonly keys: readonly {
        /** @description To remove it by: "main" for the first key, else an id; null for one of several that were given as one list. */
        readonly id: string | null;
        /** @description To enable and disable it by: its id, or "main.0", "main.1", ... of one list. */
        readonly ref: string;
        /** @description The end of the key, to recognise it by. */
        readonly hint: string;
        /** @description false: nothing new is begun with it; a channel whose keys are all disabled serves nothing. */
        readonly enabled: boolean;
      }[];
      readonly models: {
        readonly [key: string]: string;
      };
      readonly settings: {
        readonly [key: string]: unknown;
      };
      /** @description Names of the secret settings that are set. */
      readonly secret_settings: readonly string[];
      readonly priority: number;
      readonly weight: number;
      readonly timeout: {
        readonly connect?: string;
        readonly first_byte?: string;
        readonly idle?: string;
        readonly total?: string;
      };
      /** @enum {string|null} */
      readonly on_abort: 'finish' | 'cancel' | null;
      readonly probe: string | null;
      /** @enum {string} */
      readonly prompt_caching: 'auto' | 'off';
      /** @enum {string} */
      readonly batches: 'gateway' | 'native';
      readonly limits: {
        /** @description Requests in any 60 seconds. */
        readonly rpm?: number;
        /** @description Requests in any 24 hours. */
        readonly rpd?: number;
        /** @description Tokens in any 60 seconds, input and output. */
        readonly tpm?: number;
        /** @description Calls at the same time. */
        readonly concurrency?: number;
      };
      readonly enabled: boolean;
      /** @description Models of it that callers are refused: without a row, disabled or without a price. */
      readonly uncallable_models: readonly components['schemas']['UncallableModel'][];
      /** Format: date-time */
      readonly created_at: string;
      /** Format: date-time */
      readonly updated_at: string;
    };
    readonly UncallableModel: {
      readonly slug: string;
      /**
       * @description unknown: there is no such model.
       * @enum {string}
       */
      readonly reason: 'unknown' | 'disabled' | 'unpriced';
    };
    readonly ChannelTest: {
      readonly ok: boolean;
      readonly latency_ms: number;
      readonly status: number | null;
      readonly message: string;
      /** @description What went wrong, phrase by phrase. */
      readonly message_phrases?: readonly components['schemas']['Phrase'][];
      /**
       * @description Why calls to the tested model would not get here, whatever the upstream answered.
       * @enum {string}
       */
      readonly refused_because?: 'unknown' | 'disabled' | 'unpriced' | 'channel_disabled' | 'not_served';
    };
    readonly OfferedModels: {
      /**
       * @description Whose list it is: the provider's own answer, or the models that this version knows.
       * @enum {string}
       */
      readonly source: 'provider' | 'known';
      /** @description Of the answer, where the provider was asked and answered. */
      readonly status: number | null;
      /** @description What came of asking the provider. */
      readonly message: string;
      /** @description The message, phrase by phrase. */
      readonly message_phrases: readonly components['schemas']['Phrase'][];
      readonly models: readonly {
        /** @description The provider's name of it. */
        readonly name: string;
        /** @description What callers would name it by. */
        readonly slug: string;
        /**
         * @description Of lists that do not say, by its name.
         * @enum {string}
         */
        readonly kind:
          | 'chat'
          | 'embedding'
          | 'image'
          | 'transcription'
          | 'speech'
          | 'moderation'
          | 'rerank'
          | 'realtime'
          | 'video';
        /**
         * @description new: there is no model of this slug; unpriced: there is, without a price; added: there is; served: by this channel already.
         * @enum {string}
         */
        readonly state: 'new' | 'added' | 'unpriced' | 'served';
        /** @description In force, else published; null where none is known. */
        readonly price: components['schemas']['Price'] | null;
        /** @description Where the price is from, with its date. */
        readonly price_source: string | null;
        readonly context_window: number | null;
        readonly max_output_tokens: number | null;
      }[];
    };
    readonly Price: {
      readonly input_per_million?: string;
      readonly cached_input_per_million?: string;
      readonly cache_write_per_million?: string;
      readonly cache_write_1h_per_million?: string;
      readonly image_input_per_million?: string;
      readonly audio_input_per_million?: string;
      readonly output_per_million?: string;
      readonly image_output_per_million?: string;
      readonly audio_output_per_million?: string;
      readonly per_million_characters?: string;
      readonly per_image?: string;
      readonly per_second?: string;
      readonly per_minute?: string;
      readonly per_request?: string;
      readonly per_web_search?: string;
      readonly per_file_search?: string;
      readonly per_code_session?: string;
      /** @description Rates of calls whose prompt has more tokens than this. */
      readonly long_context?: {
        readonly above_tokens: number;
        readonly input_per_million?: string;
        readonly cached_input_per_million?: string;
        readonly cache_write_per_million?: string;
        readonly cache_write_1h_per_million?: string;
        readonly image_input_per_million?: string;
        readonly audio_input_per_million?: string;
        readonly output_per_million?: string;
        readonly image_output_per_million?: string;
        readonly audio_output_per_million?: string;
        readonly per_million_characters?: string;
        readonly per_image?: string;
        readonly per_second?: string;
        readonly per_minute?: string;
        readonly per_request?: string;
        readonly per_web_search?: string;
        readonly per_file_search?: string;
        readonly per_code_session?: string;
      };
      /** @description Rates of their own: a resolution of video, a quality or size of images. */
      readonly variants?: {
        readonly [key: string]: {
          readonly input_per_million?: string;
          readonly cached_input_per_million?: string;
          readonly cache_write_per_million?: string;
          readonly cache_write_1h_per_million?: string;
          readonly image_input_per_million?: string;
          readonly audio_input_per_million?: string;
          readonly output_per_million?: string;
          readonly image_output_per_million?: string;
          readonly audio_output_per_million?: string;
          readonly per_million_characters?: string;
          readonly per_image?: string;
          readonly per_second?: string;
          readonly per_minute?: string;
          readonly per_request?: string;
          readonly per_web_search?: string;
          readonly per_file_search?: string;
          readonly per_code_session?: string;
        };
      };
      /** @description Rates of service tiers such as priority or flex. */
      readonly tiers?: {
        readonly [key: string]: {
          readonly input_per_million?: string;
          readonly cached_input_per_million?: string;
          readonly cache_write_per_million?: string;
          readonly cache_write_1h_per_million?: string;
          readonly image_input_per_million?: string;
          readonly audio_input_per_million?: string;
          readonly output_per_million?: string;
          readonly image_output_per_million?: string;
          readonly audio_output_per_million?: string;
          readonly per_million_characters?: string;
          readonly per_image?: string;
          readonly per_second?: string;
          readonly per_minute?: string;
          readonly per_request?: string;
          readonly per_web_search?: string;
          readonly per_file_search?: string;
          readonly per_code_session?: string;
          /** @description Rates of calls whose prompt has more tokens than this. */
          readonly long_context?: {
            readonly above_tokens: number;
            readonly input_per_million?: string;
            readonly cached_input_per_million?: string;
            readonly cache_write_per_million?: string;
            readonly cache_write_1h_per_million?: string;
            readonly image_input_per_million?: string;
            readonly audio_input_per_million?: string;
            readonly output_per_million?: string;
            readonly image_output_per_million?: string;
            readonly audio_output_per_million?: string;
            readonly per_million_characters?: string;
            readonly per_image?: string;
            readonly per_second?: string;
            readonly per_minute?: string;
            readonly per_request?: string;
            readonly per_web_search?: string;
            readonly per_file_search?: string;
            readonly per_code_session?: string;
          };
        };
      };
      /** @description Share of the rates that work in batches costs. */
      readonly batch_share?: string;
      /** @description Share of the rates that an answer out of the gateway's cache costs; nothing when absent. */
      readonly cache_share?: string;
    };
    readonly ChannelType: {
      readonly id: string;
      readonly title: string;
      /** @description Used when a channel names none. */
      readonly default_base_url: string | null;
      readonly needs_base_url: boolean;
      readonly needs_api_key: boolean;
      /** @description Whether a channel may have `batches: native`. */
      readonly native_batches: boolean;
      /** @description Settings that are encrypted and write-only. */
      readonly secret_settings: readonly string[];
      /** @description What a form asks for; the API validates. */
      readonly settings: readonly components['schemas']['SettingField'][];
    };
    readonly SettingField: {
      readonly name: string;
      readonly title: string;
      readonly help: string | null;
      /** @enum {string} */
      readonly kind: 'text' | 'secret' | 'choice' | 'flag' | 'number' | 'list' | 'json';
      readonly required: boolean;
      /** @description Allowed values; of a list, of its items. */
      readonly choices: readonly string[];
      /** @description Value in effect when unset. */
      readonly default: string | null;
    };
    readonly Model: {
      readonly slug: string;
      /** @enum {string} */
      readonly kind:
        | 'chat'
        | 'embedding'
        | 'image'
        | 'transcription'
        | 'speech'
        | 'moderation'
        | 'rerank'
        | 'realtime'
        | 'video';
      /** @enum {string} */
      readonly state: 'active' | 'disabled';
      readonly max_output_tokens: number | null;
      readonly context_window: number | null;
      readonly fallback: readonly string[];
      readonly fallback_on: readonly ('failure' | 'context' | 'refusal')[];
      /** @enum {string} */
      readonly routing: 'priority' | 'latency' | 'busy' | 'cost';
      readonly sticky: boolean;
      readonly hedge: boolean;
      readonly first_token_timeout: string | null;
      readonly limits: {
        /** @description Requests in any 60 seconds. */
        readonly rpm?: number;
        /** @description Requests in any 24 hours. */
        readonly rpd?: number;
        /** @description Tokens in any 60 seconds, input and output. */
        readonly tpm?: number;
        /** @description Calls at the same time. */
        readonly concurrency?: number;
      };
      readonly aliases: readonly string[];
      /** @description Whether the price covers a call; without it the model is refused, never free. */
      readonly priced: boolean;
      readonly price: components['schemas']['Price'] | null;
      /** Format: uuid */
      readonly price_version: string | null;
      readonly price_source: string | null;
      /** Format: date-time */
      readonly effective_from: string | null;
      /** Format: date-time */
      readonly created_at: string;
      /** Format: date-time */
      readonly updated_at: string;
    };
    readonly ModelWithPrices: {
      readonly slug: string;
      /** @enum {string} */
      readonly kind:
        | 'chat'
        | 'embedding'
        | 'image'
        | 'transcription'
        | 'speech'
        | 'moderation'
        | 'rerank'
        | 'realtime'
        | 'video';
      /** @enum {string} */
      readonly state: 'active' | 'disabled';
      readonly max_output_tokens: number | null;
      readonly context_window: number | null;
      readonly fallback: readonly string[];
      readonly fallback_on: readonly ('failure' | 'context' | 'refusal')[];
      /** @enum {string} */
      readonly routing: 'priority' | 'latency' | 'busy' | 'cost';
      readonly sticky: boolean;
      readonly hedge: boolean;
      readonly first_token_timeout: string | null;
      readonly limits: {
        /** @description Requests in any 60 seconds. */
        readonly rpm?: number;
        /** @description Requests in any 24 hours. */
        readonly rpd?: number;
        /** @description Tokens in any 60 seconds, input and output. */
        readonly tpm?: number;
        /** @description Calls at the same time. */
        readonly concurrency?: number;
      };
      readonly aliases: readonly string[];
      /** @description Whether the price covers a call; without it the model is refused, never free. */
      readonly priced: boolean;
      readonly price: components['schemas']['Price'] | null;
      /** Format: uuid */
      readonly price_version: string | null;
      readonly price_source: string | null;
      /** Format: date-time */
      readonly effective_from: string | null;
      /** Format: date-time */
      readonly created_at: string;
      /** Format: date-time */
      readonly updated_at: string;
      readonly prices: readonly {
        /** Format: uuid */
        readonly id: string;
        readonly price: components['schemas']['Price'];
        readonly source: string;
        /** Format: date-time */
        readonly effective_from: string;
      }[];
    };
    readonly CatalogModel: {
      readonly slug: string;
      /** @enum {string} */
      readonly kind:
        | 'chat'
        | 'embedding'
        | 'image'
        | 'transcription'
        | 'speech'
        | 'moderation'
        | 'rerank'
        | 'realtime'
        | 'video';
      /** @enum {string} */
      readonly state: 'active' | 'disabled';
      readonly max_output_tokens: number | null;
      readonly context_window: number | null;
      /** @description Whether the price covers a call; without it the model is refused, never free. */
      readonly priced: boolean;
      readonly price: components['schemas']['Price'] | null;
    };
    readonly PriceImport: {
      /** Format: uuid */
      readonly id: string;
      readonly source: string;
      /** Format: date-time */
      readonly created_at: string;
      /** Format: date-time */
      readonly applied_at: string | null;
      readonly counts: {
        readonly new: number;
        readonly changed: number;
        readonly unchanged: number;
        readonly unknown_model: number;
      };
      readonly lines: readonly {
        readonly slug: string;
        /**
         * @description Prices of models that there are not, are left out.
         * @enum {string}
         */
        readonly change: 'new' | 'changed' | 'unchanged' | 'unknown_model';
        readonly before: components['schemas']['Price'] | null;
        readonly after: components['schemas']['Price'];
      }[];
    };
    readonly LoggedCall: {
      /** Format: uuid */
      readonly request_id: string;
      /** Format: date-time */
      readonly created_at: string;
      /** Format: uuid */
      readonly token_id: string;
      readonly token_name: string;
      readonly model: string;
      /** @description What the call named, where an alias or the default of its key led to the model. */
      readonly asked_model: string | null;
      readonly endpoint: string;
      /** @description Shown to administrators only. */
      readonly channel: string | null;
      readonly status: number;
      readonly error_code: string | null;
      /** @description The error message that the caller got. */
      readonly error_message: string | null;
      /** @description That message, phrase by phrase. */
      readonly error_phrases: readonly components['schemas']['Phrase'][];
      readonly stream: boolean;
      readonly latency_ms: number;
      readonly ttft_ms: number | null;
      readonly usage: {
        readonly input_tokens: number;
        readonly cached_input_tokens: number;
        readonly cache_write_tokens: number;
        /** @description Part of cache_write_tokens. */
        readonly cache_write_1h_tokens: number;
        readonly output_tokens: number;
        readonly reasoning_tokens: number;
        readonly images: number;
        readonly seconds: number;
        readonly characters?: number;
        /** @description Part of input_tokens. */
        readonly image_input_tokens?: number;
        /** @description Part of input_tokens. */
        readonly audio_input_tokens?: number;
        /** @description Part of output_tokens. */
        readonly image_output_tokens?: number;
        /** @description Part of output_tokens. */
        readonly audio_output_tokens?: number;
        /** @description Searches of the web that the provider made. */
        readonly web_searches?: number;
        readonly file_searches?: number;
        /** @description Containers that the provider ran code in. */
        readonly code_sessions?: number;
        /** @description Service tier that the provider served the call by. */
        readonly tier?: string;
        readonly variant?: string;
        /**
         * @description The answer was repeated out of the response cache.
         * @enum {boolean}
         */
        readonly from_cache?: true;
      };
      /** @description USD charged. */
      readonly cost: string;
      readonly estimated: boolean;
      readonly reason: string;
      /** @description How the cost came about: the amounts sum to it. */
      readonly lines: readonly {
        readonly meter: string;
        readonly quantity: number;
        readonly unit_price: string;
        readonly amount: string;
      }[];
      /** @description Shown to administrators only; empty for members. */
      readonly attempts: readonly components['schemas']['CallAttempt'][];
      /** Format: uuid */
      readonly price_version: string | null;
    };
    readonly CallAttempt: {
      readonly channel: string;
      readonly outcome: string;
      readonly status: number | null;
      readonly latency_ms: number;
      readonly reason: string;
      /** @description The reason, phrase by phrase. */
      readonly reason_phrases: readonly components['schemas']['Phrase'][];
    };
    readonly UsageSum: {
      readonly key: string;
      readonly label: string;
      readonly calls: number;
      /** @description Calls whose answer had a status of 400 or above. */
      readonly errors: number;
      /** @description Part of errors: those of 4xx, for what the caller sent, may do or did not wait for. Errors that were summed before migration 0083 are in neither part. */
      readonly client_errors: number;
      /** @description Part of errors: those of 5xx, by providers or the gateway, which no caller can mend. */
      readonly server_errors: number;
      readonly input_tokens: number;
      readonly output_tokens: number;
      /** @description Part of input_tokens; calls before the version that counts it have none. */
      readonly cached_input_tokens: number;
      readonly cost: string;
      readonly latency_p50_ms: number | null;
      readonly latency_p95_ms: number | null;
      /** @description Time to the first token of streams. */
      readonly ttft_p50_ms: number | null;
    };
    readonly UsagePoint: {
      /**
       * Format: date-time
       * @description Start of the hour or day, in UTC.
       */
      readonly at: string;
      readonly calls: number;
      /** @description Calls whose answer had a status of 400 or above. */
      readonly errors: number;
      /** @description Part of errors: those of 4xx, for what the caller sent, may do or did not wait for. Errors that were summed before migration 0083 are in neither part. */
      readonly client_errors: number;
      /** @description Part of errors: those of 5xx, by providers or the gateway, which no caller can mend. */
      readonly server_errors: number;
      readonly input_tokens: number;
      readonly output_tokens: number;
      /** @description Part of input_tokens; calls before the version that counts it have none. */
      readonly cached_input_tokens: number;
      readonly cost: string;
      readonly latency_p50_ms: number | null;
      readonly latency_p95_ms: number | null;
      /** @description Time to the first token of streams. */
      readonly ttft_p50_ms: number | null;
    };
    readonly WasteSum: {
      /** @description Empty where it is not known: the gateway was killed in mid-call. */
      readonly channel: string;
      /** @enum {string} */
      readonly reason: 'timed_out' | 'failed' | 'stream_broken' | 'abandoned' | 'gateway_lost' | 'hedged';
      readonly calls: number;
      readonly attempts: number;
      /** @description What the attempts cost us upstream, as an estimate. */
      readonly cost: string;
      /** @description What callers paid for calls of the channel in the same time. */
      readonly spend: string;
    };
    readonly WasteTotal: {
      readonly calls: number;
      readonly attempts: number;
      /** @description What the attempts cost us upstream, as an estimate. */
      readonly cost: string;
      /** @description What callers paid for all calls. */
      readonly spend: string;
    };
    readonly VideoTask: {
      /**
       * Format: uuid
       * @description Also the request id of the call that made it, in the log and in the ledger.
       */
      readonly id: string;
      /** @description The id that the API gives to its callers. */
      readonly public_id: string;
      /** Format: date-time */
      readonly created_at: string;
      /**
       * Format: date-time
       * @description When a provider took it.
       */
      readonly submitted_at: string | null;
      /** Format: date-time */
      readonly finished_at: string | null;
      /**
       * Format: date-time
       * @description Unfinished by then, it expires and is refunded.
       */
      readonly deadline_at: string;
      /** @enum {string} */
      readonly state:
        | 'created'
        | 'submitting'
        | 'submit_unknown'
        | 'submitted'
        | 'running'
        | 'succeeded'
        | 'failed'
        | 'expired'
        | 'cancelled';
      /**
       * @description Which of the two video APIs created it.
       * @enum {string}
       */
      readonly api: 'generic' | 'native';
      /** Format: uuid */
      readonly user_id: string;
      /** Format: uuid */
      readonly token_id: string;
      /** Format: uuid */
      readonly wallet_id: string;
      readonly model: string;
      /** @description Shown to administrators only. */
      readonly channel: string | null;
      /** @description Shown to administrators only. */
      readonly upstream_model: string | null;
      /** @description The provider's id of it. Shown to administrators only. */
      readonly upstream_id: string | null;
      /** @description Seconds ordered. */
      readonly seconds: number;
      readonly price_variant: string | null;
      /** Format: uuid */
      readonly price_version: string;
      /** @description USD held for it at first. */
      readonly amount: string;
      /** @description USD charged for it; null until a provider takes it, 0 once refunded. */
      readonly charged: string | null;
      /** @description From 0 to 100, where the provider reports it. */
      readonly progress: number | null;
      readonly error: {
        readonly code: string;
        readonly message: string;
        /** @description The message, phrase by phrase. */
        readonly message_phrases: readonly components['schemas']['Phrase'][];
      } | null;
    };
    readonly VideoTaskWithHistory: {
      /**
       * Format: uuid
       * @description Also the request id of the call that made it, in the log and in the ledger.
       */
      readonly id: string;
      /** @description The id that the API gives to its callers. */
      readonly public_id: string;
      /** Format: date-time */
      readonly created_at: string;
      /**
       * Format: date-time
       * @description When a provider took it.
       */
      readonly submitted_at: string | null;
      /** Format: date-time */
      readonly finished_at: string | null;
      /**
       * Format: date-time
       * @description Unfinished by then, it expires and is refunded.
       */
      readonly deadline_at: string;
      /** @enum {string} */
      readonly state:
        | 'created'
        | 'submitting'
        | 'submit_unknown'
        | 'submitted'
        | 'running'
        | 'succeeded'
        | 'failed'
        | 'expired'
        | 'cancelled';
      /**
       * @description Which of the two video APIs created it.
       * @enum {string}
       */
      readonly api: 'generic' | 'native';
      /** Format: uuid */
      readonly user_id: string;
      /** Format: uuid */
      readonly token_id: string;
      /** Format: uuid */
      readonly wallet_id: string;
      readonly model: string;
      /** @description Shown to administrators only. */
      readonly channel: string | null;
      /** @description Shown to administrators only. */
      readonly upstream_model: string | null;
      /** @description The provider's id of it. Shown to administrators only. */
      readonly upstream_id: string | null;
      /** @description Seconds ordered. */
      readonly seconds: number;
      readonly price_variant: string | null;
      /** Format: uuid */
      readonly price_version: string;
      /** @description USD held for it at first. */
      readonly amount: string;
      /** @description USD charged for it; null until a provider takes it, 0 once refunded. */
      readonly charged: string | null;
      /** @description From 0 to 100, where the provider reports it. */
      readonly progress: number | null;
      readonly error: {
        readonly code: string;
        readonly message: string;
        /** @description The message, phrase by phrase. */
        readonly message_phrases: readonly components['schemas']['Phrase'][];
      } | null;
      readonly history: readonly {
        /** Format: date-time */
        readonly at: string;
        /** @enum {string} */
        readonly state:
          | 'created'
          | 'submitting'
          | 'submit_unknown'
          | 'submitted'
          | 'running'
          | 'succeeded'
          | 'failed'
          | 'expired'
          | 'cancelled';
        /** @description Shown to administrators only. */
        readonly note: string;
        /** @description The note, phrase by phrase. */
        readonly note_phrases: readonly components['schemas']['Phrase'][];
      }[];
    };
    readonly ContentLink: {
      /** @description On this server, for players; it works while the caller's session does and the caller may see the task. */
      readonly url: string;
      /** Format: date-time */
      readonly expires_at: string;
    };
    readonly CodeBatch: {
      /** Format: uuid */
      readonly id: string;
      readonly amount: string;
      readonly count: number;
      readonly redeemed: number;
      readonly note: string;
      /** Format: date-time */
      readonly expires_at: string | null;
      readonly disabled: boolean;
      /** Format: date-time */
      readonly created_at: string;
    };
    readonly CodeBatchWithCodes: {
      /** Format: uuid */
      readonly id: string;
      readonly amount: string;
      readonly count: number;
      readonly redeemed: number;
      readonly note: string;
      /** Format: date-time */
      readonly expires_at: string | null;
      readonly disabled: boolean;
      /** Format: date-time */
      readonly created_at: string;
      /** @description Shown here once. */
      readonly codes: readonly string[];
    };
    readonly RedemptionCode: {
      /** Format: uuid */
      readonly id: string;
      /** @description The end of the code. */
      readonly hint: string;
      /** Format: uuid */
      readonly wallet_id: string | null;
      /** Format: uuid */
      readonly claimed_by: string | null;
      /** Format: date-time */
      readonly claimed_at: string | null;
      /** Format: date-time */
      readonly credited_at: string | null;
    };
    readonly AuditEntry: {
      /** Format: uuid */
      readonly id: string;
      /** Format: date-time */
      readonly created_at: string;
      /** Format: uuid */
      readonly actor_id: string | null;
      readonly actor_email: string;
      /**
       * @description What this version writes; rows of another version may say something else.
       * @enum {string}
       */
      readonly action:
        | 'alert.test'
        | 'alert_secret.read'
        | 'alert_settings.change'
        | 'capture.read'
        | 'channel.change'
        | 'channel.create'
        | 'channel.delete'
        | 'configuration.apply'
        | 'model.change'
        | 'model.create'
        | 'price_import.apply'
        | 'price_import.review'
        | 'project.change'
        | 'project.create'
        | 'project.delete'
        | 'project.invite'
        | 'project.join'
        | 'project.set_groups'
        | 'project.set_member'
        | 'project.take_invitation_back'
        | 'redemption_batch.change'
        | 'redemption_batch.create'
        | 'redemption_code.redeem'
        | 'session.end'
        | 'session.end_by_reuse'
        | 'session.start'
        | 'token.capture'
        | 'token.change'
        | 'token.create'
        | 'token.delete'
        | 'token.rotate'
        | 'user.begin_totp'
        | 'user.change'
        | 'user.change_password'
        | 'user.create'
        | 'user.disable_totp'
        | 'user.enable_totp'
        | 'user.link_sso'
        | 'user.refuse_code'
        | 'user.reset_totp'
        | 'user.set_password'
        | 'user.take_back'
        | 'user.use_recovery_code'
        | 'wallet.assign'
        | 'wallet.create'
        | 'wallet.top_up'
        | 'wallet.update';
      readonly target_type: string;
      readonly target_id: string;
      /** @description What was changed or is gone, without secrets. */
      readonly before: {
        readonly [key: string]: unknown;
      } | null;
      /** @description What it became. */
      readonly after: {
        readonly [key: string]: unknown;
      } | null;
      /** Format: uuid */
      readonly request_id: string;
      readonly address: string;
    };
    readonly Alert: {
      /** Format: uuid */
      readonly id: string;
      /** @enum {string} */
      readonly kind: 'channel_failing' | 'wallet_balance' | 'budget' | 'ledger_drift' | 'queue_age';
      /** @description Id of the channel or wallet, `<id>/<period>` of a budget, or a queue. */
      readonly subject: string;
      /**
       * @description near: 80 % of a budget; reached: all of it; else firing.
       * @enum {string}
       */
      readonly level: 'firing' | 'near' | 'reached';
      /** @description What was sent, in English. */
      readonly text: string;
      /** @description What was seen; amounts in USD. */
      readonly facts: {
        readonly [key: string]: string | number | null;
      };
      /** @description What `facts.reason` says, phrase by phrase; empty without one. */
      readonly reason_phrases: readonly components['schemas']['Phrase'][];
      /** Format: date-time */
      readonly fired_at: string;
      /** Format: date-time */
      readonly resolved_at: string | null;
      /** @description The latest message of each way; none where nothing was set. */
      readonly deliveries: readonly {
        /** @enum {string} */
        readonly via: 'webhook' | 'email';
        /** @enum {string} */
        readonly event: 'fired' | 'changed' | 'resolved';
        /** @enum {string} */
        readonly state: 'waiting' | 'delivered' | 'given_up';
        readonly attempts: number;
        /** @description Of the last try, where it failed. */
        readonly error: string | null;
        /** @description The error, phrase by phrase. */
        readonly error_phrases: readonly components['schemas']['Phrase'][];
      }[];
    };
    readonly AlertSettings: {
      readonly rules: components['schemas']['AlertRules'];
      readonly webhook: {
        /**
         * @description environment: ALERT_WEBHOOK_URL or SMTP_URL.
         * @enum {string}
         */
        readonly source: 'console' | 'environment';
        /** @description Scheme, host and port; the rest may be secret and is never shown. */
        readonly address: string;
      } | null;
      readonly email: {
        /**
         * @description environment: ALERT_WEBHOOK_URL or SMTP_URL.
         * @enum {string}
         */
        readonly source: 'console' | 'environment';
        /** @description Scheme, host and port; the rest may be secret and is never shown. */
        readonly address: string;
      } | null;
      /** @description null: the user of the mail server. */
      readonly email_from: string | null;
      /** @description Empty: every administrator. */
      readonly email_to: readonly string[];
    };
    readonly AlertRules: {
      readonly channel_failing: {
        /** @description Whether operators are alerted. */
        readonly enabled: boolean;
        /** @description Attempts of ten minutes that failed at least, and more than were served. */
        readonly failed: number;
      };
      readonly wallet_balance: {
        /** @description Whether operators are alerted. */
        readonly enabled: boolean;
        /** @description USD, with the credit limit; of wallets that keys have spent from. */
        readonly below: string;
      };
      /** @description 80 and 100 per cent of any budget. */
      readonly budget: {
        /** @description Whether operators are alerted. */
        readonly enabled: boolean;
      };
      readonly ledger_drift: {
        /** @description Whether operators are alerted. */
        readonly enabled: boolean;
      };
      readonly queue_age: {
        /** @description Whether operators are alerted. */
        readonly enabled: boolean;
        /** @description How long usage may wait to be charged, and a video task for a worker. */
        readonly seconds: number;
      };
    };
    readonly AlertSecrets: {
      /** @description Any of them may have signed a webhook, by Standard Webhooks; two during a rotation. */
      readonly secrets: readonly string[];
    };
    readonly AlertTest: {
      /** @description Empty where nothing is set. */
      readonly results: readonly {
        /** @enum {string} */
        readonly via: 'webhook' | 'email';
        readonly ok: boolean;
        readonly latency_ms: number;
        readonly message: string;
        /** @description The message, phrase by phrase. */
        readonly message_phrases: readonly components['schemas']['Phrase'][];
      }[];
    };
    readonly CaptureSetting: {
      /**
       * Format: date-time
       * @description From then on no more bodies are kept; seven days ahead at most.
       */
      readonly until: string;
      /**
       * @description How long each body is kept, seven days at most.
       * @default 86400
       */
      readonly keep_seconds?: number;
    };
    readonly CapturedCall: {
      /** Format: uuid */
      readonly request_id: string;
      /** Format: uuid */
      readonly token_id: string;
      /** Format: date-time */
      readonly expires_at: string;
      /** Format: date-time */
      readonly created_at: string;
      readonly parts: readonly {
        /** @enum {string} */
        readonly part: 'request' | 'response';
        readonly content_type: string;
        /** @description Of the whole body. */
        readonly bytes: number;
        /** @description Whether less than the whole is kept: 64 KB of text, nothing of media. */
        readonly truncated: boolean;
      }[];
    };
    readonly CapturedBodies: {
      /** Format: uuid */
      readonly request_id: string;
      /** Format: uuid */
      readonly token_id: string;
      /** Format: date-time */
      readonly expires_at: string;
      readonly parts: readonly {
        /** @enum {string} */
        readonly part: 'request' | 'response';
        readonly content_type: string;
        /** @description Of the whole body. */
        readonly bytes: number;
        /** @description Whether less than the whole is kept: 64 KB of text, nothing of media. */
        readonly truncated: boolean;
        /** @description Redacted; null where it was sealed with another ENCRYPTION_KEY. */
        readonly text: string | null;
      }[];
    };
    readonly Settings: {
      readonly version: string;
      readonly node_version: string;
      /** @description The environment of the console’s process; other planes may have been started with another. */
      readonly settings: readonly {
        readonly name: string;
        /**
         * @description What it is about.
         * @enum {string}
         */
        readonly group:
          | 'addresses'
          | 'storage'
          | 'secrets'
          | 'capacity'
          | 'calls'
          | 'sign_on'
          | 'alerts'
          | 'telemetry'
          | 'retention'
          | 'results';
        /** @description In force in the console; "set" for what is secret, null when unset. */
        readonly value: string | null;
        /** @description Whether its value is shown to nobody. */
        readonly hidden: boolean;
        readonly default: string;
        readonly meaning: string;
      }[];
    };
    readonly PublicSettings: {
      readonly version: string;
      /** @description Where callers reach the gateway: the base address for SDKs. */
      readonly gateway_url: string;
      /** @description Nobody has changed or called anything yet: the first login was printed at the start. */
      readonly first_run: boolean;
      /** @description Whether there is a single sign-on. */
      readonly sso: boolean;
    };
    readonly System: {
      readonly planes: readonly {
        readonly plane: string;
        readonly instance: string;
        readonly version: string;
        /** Format: date-time */
        readonly started_at: string;
        /** Format: date-time */
        readonly seen_at: string;
        /** @description Whether it reported within the last seconds. */
        readonly alive: boolean;
      }[];
      readonly open_holds: readonly {
        /** @enum {string} */
        readonly kind: 'call' | 'video';
        readonly amount: string;
        readonly count: number;
        readonly oldest_seconds: number;
      }[];
      /** @description Usage that waits to be charged. */
      readonly journal: {
        readonly count: number;
        readonly oldest_seconds: number;
      };
      /** @description Figures that billing’s last check of the ledger found wrong; null when no billing plane reports. */
      readonly drift_rows: number | null;
      /** @description Video tasks that have not ended, by state. */
      readonly tasks: {
        readonly [key: string]: number;
      };
      /** @description Webhooks that are still to be sent. */
      readonly webhooks: {
        readonly count: number;
        readonly oldest_seconds: number;
      };
      readonly channels: readonly {
        /** Format: uuid */
        readonly id: string;
        readonly name: string;
        readonly enabled: boolean;
        /** @description false: all of its keys are disabled, so that it serves nothing; its state is disabled. */
        readonly has_key: boolean;
        /** @description No process has taken it out of rotation for any model. */
        readonly healthy: boolean;
        /**
         * @description By the attempts: failing never answers, idle was not asked in the last hour.
         * @enum {string}
         */
        readonly state: 'disabled' | 'failing' | 'degraded' | 'idle' | 'healthy';
        /** @description Of the last hour and of the last 24 hours, in the newest 5,000 calls. */
        readonly attempts: {
          readonly hour: {
            readonly served: number;
            readonly failed: number;
          };
          readonly day: {
            readonly served: number;
            readonly failed: number;
          };
        };
        /** @description The latest attempt that failed in these calls. */
        readonly last_failure: {
          /** Format: date-time */
          readonly at: string;
          readonly status: number | null;
          readonly reason: string;
        } | null;
        /** @description Each process keeps the health of its channels for itself. */
        readonly resting: readonly {
          /** @description The process that has taken it out of rotation. */
          readonly instance: string;
          readonly model: string;
          /** Format: date-time */
          readonly until: string;
          /** @description Failures in a row. */
          readonly failures: number;
          /** @description Hint of the key, where it alone is left out. */
          readonly key: string | null;
          /** @description How it failed last. */
          readonly reason: string | null;
        }[];
      }[];
    };
    readonly Attempts: {
      readonly channels: readonly {
        /** Format: uuid */
        readonly channel_id: string;
        readonly channel: string;
        /**
         * @description By the attempts: failing never answers, idle was not asked in the last hour, healthy answered in it.
         * @enum {string}
         */
        readonly state: 'disabled' | 'failing' | 'degraded' | 'idle' | 'healthy';
        readonly hour: {
          readonly served: number;
          readonly failed: number;
          /** @description Of those that were served or failed; null without any. */
          readonly success_share: number | null;
          /** @description Half of the whole answers were there by then. */
          readonly p50_ms: number | null;
          readonly p95_ms: number | null;
          /** @description Half of the streams had begun by then. */
          readonly ttft_p50_ms: number | null;
          readonly ttft_p95_ms: number | null;
        };
        readonly day: {
          readonly served: number;
          readonly failed: number;
          /** @description Of those that were served or failed; null without any. */
          readonly success_share: number | null;
          /** @description Half of the whole answers were there by then. */
          readonly p50_ms: number | null;
          readonly p95_ms: number | null;
          /** @description Half of the streams had begun by then. */
          readonly ttft_p50_ms: number | null;
          readonly ttft_p95_ms: number | null;
        };
        /** @description The latest of the last 24 hours. */
        readonly last_failure: {
          /** Format: date-time */
          readonly at: string;
          readonly status: number | null;
          readonly reason: string;
          /** @description The reason, phrase by phrase. */
          readonly reason_phrases: readonly components['schemas']['Phrase'][];
        } | null;
        /** @description By model and key; those that were asked in the last 24 hours. */
        readonly parts: readonly {
          readonly model: string;
          /** @description Hint of the key; null where the channel has none. */
          readonly key: string | null;
          /**
           * @description By the attempts: failing never answers, idle was not asked in the last hour, healthy answered in it.
           * @enum {string}
           */
          readonly state: 'disabled' | 'failing' | 'degraded' | 'idle' | 'healthy';
          readonly hour: {
            readonly served: number;
            readonly failed: number;
            /** @description Of those that were served or failed; null without any. */
            readonly success_share: number | null;
            /** @description Half of the whole answers were there by then. */
            readonly p50_ms: number | null;
            readonly p95_ms: number | null;
            /** @description Half of the streams had begun by then. */
            readonly ttft_p50_ms: number | null;
            readonly ttft_p95_ms: number | null;
          };
          readonly day: {
            readonly served: number;
            readonly failed: number;
            /** @description Of those that were served or failed; null without any. */
            readonly success_share: number | null;
            /** @description Half of the whole answers were there by then. */
            readonly p50_ms: number | null;
            readonly p95_ms: number | null;
            /** @description Half of the streams had begun by then. */
            readonly ttft_p50_ms: number | null;
            readonly ttft_p95_ms: number | null;
          };
          /** @description The latest of the last 24 hours. */
          readonly last_failure: {
            /** Format: date-time */
            readonly at: string;
            readonly status: number | null;
            readonly reason: string;
            /** @description The reason, phrase by phrase. */
            readonly reason_phrases: readonly components['schemas']['Phrase'][];
          } | null;
        }[];
      }[];
    };
    readonly Error: {
      readonly detail: {
        /** @enum {string} */
        readonly code:
          | 'invalid_request'
          | 'invalid_api_key'
          | 'unauthenticated'
          | 'insufficient_balance'
          | 'model_not_allowed'
          | 'address_not_allowed'
          | 'forbidden'
          | 'model_not_found'
          | 'model_not_priced'
          | 'not_found'
          | 'method_not_allowed'
          | 'idempotency_conflict'
          | 'conflict'
          | 'request_too_large'
          | 'unsupported_media_type'
          | 'budget_exceeded'
          | 'quota_exceeded'
          | 'rate_limited'
          | 'internal_error'
          | 'upstream_error'
          | 'task_not_found'
          | 'upstream_unavailable'
          | 'service_unavailable'
          | 'loop_detected';
        readonly message: string;
        /** Format: uuid */
        readonly request_id: string;
        readonly type: string;
        /** @description The field that is wrong. */
        readonly param?: string;
        /** @description Seconds. */
        readonly retry_after?: number;
        /**
         * @description What the message says, by a code; words of others, as of the gateway, have none.
         * @enum {string}
         */
        readonly reason?:
          | 'required'
          | 'not_a_string'
          | 'not_a_number'
          | 'not_a_whole_number'
          | 'not_a_boolean'
          | 'not_a_list'
          | 'not_an_object'
          | 'not_of_type'
          | 'not_one_of'
          | 'too_small'
          | 'too_short'
          | 'too_big'
          | 'too_long'
          | 'name_too_long'
          | 'not_valid'
          | 'no_moment'
          | 'no_duration'
          | 'no_capture_duration'
          | 'duration_zero'
          | 'duration_too_long'
          | 'duration_too_short'
          | 'no_network_address'
          | 'no_slug'
          | 'no_alias'
          | 'no_amount'
          | 'no_threshold'
          | 'no_price'
          | 'no_share'
          | 'no_token_count'
          | 'no_http_address'
          | 'no_webhook_address'
          | 'no_mail_server'
          | 'no_channel_models'
          | 'no_time_zone'
          | 'no_email'
          | 'no_project_id'
          | 'no_wallet_id'
          | 'no_user_id'
          | 'no_channel_id'
          | 'no_ids'
          | 'no_cursor'
          | 'not_visible_ascii'
          | 'secret_moves'
          | 'capture_too_long'
          | 'range_too_long'
          | 'value_repeated'
          | 'beside_model'
          | 'no_model_named'
          | 'empty'
          | 'zero'
          | 'credentials_in_address'
          | 'user_in_address'
          | 'not_storable'
          | 'control_characters'
          | 'price_in_the_past'
          | 'date_without_price'
          | 'unknown_key'
          | 'cursor_beside_sort'
          | 'beside_project'
          | 'no_region'
          | 'no_location'
          | 'no_api_version'
          | 'no_deployment_name'
          | 'no_service_account'
          | 'required_with_access_key'
          | 'required_with_secret_key'
          | 'no_row'
          | 'no_route'
          | 'bad_url'
          | 'other_methods'
          | 'body_too_large'
          | 'body_not_json'
          | 'body_unreadable'
          | 'not_just_now'
          | 'our_fault'
          | 'no_wallet'
          | 'no_user'
          | 'no_project'
          | 'no_model'
          | 'no_models'
          | 'no_channel_type'
          | 'email_taken'
          | 'wallet_name_taken'
          | 'project_name_taken'
          | 'channel_name_taken'
          | 'slug_taken'
          | 'key_name_taken'
          | 'wallet_of_another_user'
          | 'wallet_of_a_member'
          | 'wallet_of_another_project'
          | 'more_than_available'
          | 'wallet_to_name'
          | 'role_may_not'
          | 'rights_changed'
          | 'no_session'
          | 'session_over'
          | 'login_wrong'
          | 'password_wrong'
          | 'code_wrong'
          | 'code_needed'
          | 'too_many_attempts'
          | 'too_many_tests'
          | 'last_administrator'
          | 'factor_exists'
          | 'no_factor'
          | 'no_factor_begun'
          | 'own_factor'
          | 'channels_for_administrators'
          | 'users_for_administrators'
          | 'key_disabled_by_administrator'
          | 'key_disabled_by_owner'
          | 'key_for_another'
          | 'user_without_keys'
          | 'key_of_project'
          | 'sso_not_set_up'
          | 'sso_silent'
          | 'sso_over'
          | 'user_gone'
          | 'owners_only'
          | 'viewers_make_no_keys'
          | 'viewers_change_no_keys'
          | 'last_owner'
          | 'role_by_sso'
          | 'project_full'
          | 'too_many_invitations'
          | 'member_already'
          | 'invitation_for_another_user'
          | 'invitation_for_another'
          | 'invitation_over'
          | 'redemption_code_over'
          | 'required_for_type'
          | 'batches_not_native'
          | 'too_many_keys'
          | 'key_exists'
          | 'last_key'
          | 'channel_comes_back'
          | 'channel_has_batches'
          | 'key_given_twice'
          | 'model_not_served'
          | 'models_made_meanwhile'
          | 'model_named_twice'
          | 'no_gateway'
          | 'prices_changed'
          | 'import_applied'
          | 'file_without_price'
          | 'file_too_long'
          | 'file_names_twice'
          | 'file_without_slug'
          | 'file_unknown_column'
          | 'file_uneven'
          | 'file_unreadable'
          | 'file_wrong'
          | 'no_video'
          | 'no_finished_video'
          | 'video_link_over'
          | 'many_videos'
          | 'video_gone'
          | 'gateway_unreachable';
        /** @description What stands in the words of the reason. */
        readonly values?: readonly string[];
      };
    };
  };
  responses: {
    /** @description The request is wrong; `param` names the field. */
    readonly Error400: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description There is no session, or it is over; at the login: the e-mail address or the password is wrong, or, with `param` `code`, the code of the second factor is missing or wrong. */
    readonly Error401: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description The role of the caller may not do this. */
    readonly Error403: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description There is no such row, or it is not the caller’s; of single sign-on: it is not set up. */
    readonly Error404: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description It cannot be done as things stand. */
    readonly Error409: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body is larger than this route takes. */
    readonly Error413: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body is not application/json. */
    readonly Error415: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description Too many attempts; `Retry-After` says when to try again. */
    readonly Error429: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description A failure of the Console. */
    readonly Error500: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
    /** @description Something that is needed does not answer. */
    readonly Error503: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Error'];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type Session = components['schemas']['Session'];
export type User = components['schemas']['User'];
export type OpenSession = components['schemas']['OpenSession'];
export type TotpState = components['schemas']['TotpState'];
export type TotpSecret = components['schemas']['TotpSecret'];
export type TotpConfirmed = components['schemas']['TotpConfirmed'];
export type SsoStart = components['schemas']['SsoStart'];
export type SsoState = components['schemas']['SsoState'];
export type Project = components['schemas']['Project'];
export type ProjectGroups = components['schemas']['ProjectGroups'];
export type ProjectMember = components['schemas']['ProjectMember'];
export type Wallet = components['schemas']['Wallet'];
export type WalletTotals = components['schemas']['WalletTotals'];
export type LedgerEntry = components['schemas']['LedgerEntry'];
export type Phrase = components['schemas']['Phrase'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationWithToken = components['schemas']['InvitationWithToken'];
export type ShownInvitation = components['schemas']['ShownInvitation'];
export type Token = components['schemas']['Token'];
export type TokenWithKey = components['schemas']['TokenWithKey'];
export type Budget = components['schemas']['Budget'];
export type Channel = components['schemas']['Channel'];
export type UncallableModel = components['schemas']['UncallableModel'];
export type ChannelTest = components['schemas']['ChannelTest'];
export type OfferedModels = components['schemas']['OfferedModels'];
export type Price = components['schemas']['Price'];
export type ChannelType = components['schemas']['ChannelType'];
export type SettingField = components['schemas']['SettingField'];
export type Model = components['schemas']['Model'];
export type ModelWithPrices = components['schemas']['ModelWithPrices'];
export type CatalogModel = components['schemas']['CatalogModel'];
export type PriceImport = components['schemas']['PriceImport'];
export type LoggedCall = components['schemas']['LoggedCall'];
export type CallAttempt = components['schemas']['CallAttempt'];
export type UsageSum = components['schemas']['UsageSum'];
export type UsagePoint = components['schemas']['UsagePoint'];
export type WasteSum = components['schemas']['WasteSum'];
export type WasteTotal = components['schemas']['WasteTotal'];
export type VideoTask = components['schemas']['VideoTask'];
export type VideoTaskWithHistory = components['schemas']['VideoTaskWithHistory'];
export type ContentLink = components['schemas']['ContentLink'];
export type CodeBatch = components['schemas']['CodeBatch'];
export type CodeBatchWithCodes = components['schemas']['CodeBatchWithCodes'];
export type RedemptionCode = components['schemas']['RedemptionCode'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type Alert = components['schemas']['Alert'];
export type AlertSettings = components['schemas']['AlertSettings'];
export type AlertRules = components['schemas']['AlertRules'];
export type AlertSecrets = components['schemas']['AlertSecrets'];
export type AlertTest = components['schemas']['AlertTest'];
export type CaptureSetting = components['schemas']['CaptureSetting'];
export type CapturedCall = components['schemas']['CapturedCall'];
export type CapturedBodies = components['schemas']['CapturedBodies'];
export type Settings = components['schemas']['Settings'];
export type PublicSettings = components['schemas']['PublicSettings'];
export type System = components['schemas']['System'];
export type Attempts = components['schemas']['Attempts'];
export type Error = components['schemas']['Error'];
export type ResponseError400 = components['responses']['Error400'];
export type ResponseError401 = components['responses']['Error401'];
export type ResponseError403 = components['responses']['Error403'];
export type ResponseError404 = components['responses']['Error404'];
export type ResponseError409 = components['responses']['Error409'];
export type ResponseError413 = components['responses']['Error413'];
export type ResponseError415 = components['responses']['Error415'];
export type ResponseError429 = components['responses']['Error429'];
export type ResponseError500 = components['responses']['Error500'];
export type ResponseError503 = components['responses']['Error503'];
export type $defs = Record<string, never>;
export interface operations {
  readonly AuthController_login: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly email: string;
          readonly password: string;
          /** @description Of the authenticator app, or a recovery code. */
          readonly code?: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Session'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly AuthController_refresh: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly refresh_token: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Session'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly AuthController_logout: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly MeController_show: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['User'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly MeController_changePassword: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly current_password: string;
          readonly new_password: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Session'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly SessionListsController_listOwn: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['OpenSession'][];
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly SessionListsController_endOwn: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly SessionListsController_list: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['OpenSession'][];
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly SessionListsController_end: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
        readonly session_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TotpController_showOwn: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TotpState'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TotpController_begin: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly current_password: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TotpSecret'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TotpController_confirm: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @description Of the authenticator app, or a recovery code. */
          readonly code: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TotpConfirmed'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TotpController_disable: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly current_password: string;
          /** @description Of the authenticator app, or a recovery code. */
          readonly code: string;
        };
      };
    };
    readonly responses: {
      /** @description Done. */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TotpController_show: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TotpState'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TotpController_reset: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly SsoController_start: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['SsoStart'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly SsoController_finish: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 302: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly SsoController_exchange: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @description Of the page’s address, as `sso`. */
          readonly code: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Session'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly SsoLinkController_show: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['SsoState'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly SsoLinkController_link: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly current_password: string;
          /** @description Of the authenticator app, or a recovery code. */
          readonly code?: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['SsoStart'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ProjectsController_list: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows at most. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before. */
        readonly cursor?: string;
        /** @description Rows whose name holds this, in any case. */
        readonly search?: string;
        /** @description Ids, separated by commas: these rows alone. */
        readonly ids?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['Project'][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            readonly next_cursor: string | null;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ProjectsController_create: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly name: string;
          /**
           * Format: uuid
           * @description A wallet of the operator's or of an administrator, which all members pay from; by default a new one of the project's name.
           */
          readonly wallet_id?: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Project'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ProjectsController_show: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Project'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ProjectsController_delete: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ProjectsController_change: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': {
          readonly name?: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Project'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ProjectsController_listGroups: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ProjectGroups'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ProjectsController_setGroups: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': components['schemas']['ProjectGroups'];
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ProjectGroups'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ProjectsController_listMembers: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['ProjectMember'][];
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ProjectsController_setMember: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
        readonly user_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /**
           * @description owner: manages members and all keys, sees the wallet; member: has keys, sees their own keys and calls; viewer: sees all keys and calls, changes nothing.
           * @enum {string}
           */
          readonly role: 'owner' | 'member' | 'viewer';
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ProjectMember'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ProjectsController_removeMember: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
        readonly user_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly UsersController_list: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows at most. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before, which was sorted in the same way. */
        readonly cursor?: string;
        /** @description Rows whose name holds this, in any case. */
        readonly search?: string;
        /** @description Ids, separated by commas: these rows alone. */
        readonly ids?: string;
        readonly order?: 'asc' | 'desc';
        readonly sort?: 'created' | 'email' | 'name' | 'role' | 'state';
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['User'][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            readonly next_cursor: string | null;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly UsersController_create: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly email: string;
          readonly password: string;
          /** @enum {string} */
          readonly role: 'administrator' | 'member';
          /** @default  */
          readonly name?: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['User'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly UsersController_show: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['User'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly UsersController_change: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': {
          /** @enum {string} */
          readonly role?: 'administrator' | 'member';
          /** @description A disabled user's sessions and API keys stop. */
          readonly disabled?: boolean;
          readonly password?: string;
          /** @description Of all calls that are theirs; replaces the limits as a whole. */
          readonly limits?: {
            /** @description Requests in any 60 seconds. */
            readonly rpm?: number;
            /** @description Requests in any 24 hours. */
            readonly rpd?: number;
            /** @description Tokens in any 60 seconds, input and output. */
            readonly tpm?: number;
            /** @description Calls at the same time. */
            readonly concurrency?: number;
          };
          /** @description Of all calls that are theirs; replaces the budgets as a whole. */
          readonly budgets?: {
            /** @description USD of one day. */
            readonly day?: string;
            /** @description USD of one week, which begins on Monday. */
            readonly week?: string;
            /** @description USD of one month. */
            readonly month?: string;
            /** @description Whose calendar counts; UTC by default. */
            readonly timezone?: string;
          };
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['User'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly WalletsController_list: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows at most. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before, which was sorted in the same way. */
        readonly cursor?: string;
        /** @description Rows whose name holds this, in any case. */
        readonly search?: string;
        /** @description Ids, separated by commas: these rows alone. */
        readonly ids?: string;
        readonly order?: 'asc' | 'desc';
        readonly sort?: 'created' | 'name' | 'balance' | 'held' | 'credit_limit' | 'available';
        /** @description Wallets of this user, among those that the caller sees. */
        readonly user_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['Wallet'][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            readonly next_cursor: string | null;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly WalletsController_create: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @description USD that the wallet may go below zero; 0 for a prepaid one. */
          readonly credit_limit?: string;
          /** @description Of all calls that it pays; replaces the limits as a whole. */
          readonly limits?: {
            /** @description Requests in any 60 seconds. */
            readonly rpm?: number;
            /** @description Requests in any 24 hours. */
            readonly rpd?: number;
            /** @description Tokens in any 60 seconds, input and output. */
            readonly tpm?: number;
            /** @description Calls at the same time. */
            readonly concurrency?: number;
          };
          /** @description Of all calls that it pays; replaces the budgets as a whole. */
          readonly budgets?: {
            /** @description USD of one day. */
            readonly day?: string;
            /** @description USD of one week, which begins on Monday. */
            readonly week?: string;
            /** @description USD of one month. */
            readonly month?: string;
            /** @description Whose calendar counts; UTC by default. */
            readonly timezone?: string;
          };
          /** @description USD, credit limit included, below which operators are alerted; null for that of the alert rule. */
          readonly alert_below?: string | null;
          readonly name: string;
          /**
           * Format: uuid
           * @description Whose wallet it is; by default, and for null, the operator's.
           */
          readonly user_id?: string | null;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Wallet'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly WalletsController_total: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['WalletTotals'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly WalletsController_show: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Wallet'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly WalletsController_change: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': {
          /** @description USD that the wallet may go below zero; 0 for a prepaid one. */
          readonly credit_limit?: string;
          /** @description Of all calls that it pays; replaces the limits as a whole. */
          readonly limits?: {
            /** @description Requests in any 60 seconds. */
            readonly rpm?: number;
            /** @description Requests in any 24 hours. */
            readonly rpd?: number;
            /** @description Tokens in any 60 seconds, input and output. */
            readonly tpm?: number;
            /** @description Calls at the same time. */
            readonly concurrency?: number;
          };
          /** @description Of all calls that it pays; replaces the budgets as a whole. */
          readonly budgets?: {
            /** @description USD of one day. */
            readonly day?: string;
            /** @description USD of one week, which begins on Monday. */
            readonly week?: string;
            /** @description USD of one month. */
            readonly month?: string;
            /** @description Whose calendar counts; UTC by default. */
            readonly timezone?: string;
          };
          /** @description USD, credit limit included, below which operators are alerted; null for that of the alert rule. */
          readonly alert_below?: string | null;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Wallet'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly WalletsController_topUp: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @description USD; a negative amount takes money out. */
          readonly amount: string & string;
          /** @default  */
          readonly note?: string;
          /** @description The same key credits once. */
          readonly idempotency_key: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly entry: components['schemas']['LedgerEntry'];
            readonly balance: string;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly LedgerController_list: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows at most. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before. */
        readonly cursor?: string;
        /** @description Entries at this moment or later. */
        readonly from?: string;
        /** @description Entries before this moment. */
        readonly to?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['LedgerEntry'][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            readonly next_cursor: string | null;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly LedgerController_exportOne: {
    readonly parameters: {
      readonly query?: {
        /** @description Entries at this moment or later. */
        readonly from?: string;
        /** @description Entries before this moment. */
        readonly to?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/csv': string;
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly LedgerController_exportAll: {
    readonly parameters: {
      readonly query?: {
        /** @description Entries at this moment or later. */
        readonly from?: string;
        /** @description Entries before this moment. */
        readonly to?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/csv': string;
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly InvitationsController_list: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['Invitation'][];
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly InvitationsController_create: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /**
           * @description What whoever uses the link will be in the project.
           * @enum {string}
           */
          readonly role: 'owner' | 'member' | 'viewer';
          /**
           * @description Whom it is for; null: whoever has the link, once.
           * @default null
           */
          readonly email?: string | null;
          /** @default 7 */
          readonly expires_in_days?: number;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['InvitationWithToken'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly InvitationsController_delete: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
        readonly invitation_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly InvitationsController_look: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @description What stands after # in the link. */
          readonly token: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ShownInvitation'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly InvitationsController_accept: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @description What stands after # in the link. */
          readonly token: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            /** Format: uuid */
            readonly project_id: string;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly InvitationsController_register: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @description What stands after # in the link. */
          readonly token: string;
          readonly email: string;
          /** @default  */
          readonly name?: string;
          readonly password: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Session'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TokensController_list: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows at most. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before, which was sorted in the same way. */
        readonly cursor?: string;
        /** @description Rows whose name holds this, in any case. */
        readonly search?: string;
        /** @description Ids, separated by commas: these rows alone. */
        readonly ids?: string;
        readonly order?: 'asc' | 'desc';
        readonly sort?: 'created' | 'name' | 'used' | 'quota';
        /** @description Keys of this project. */
        readonly project_id?: string;
        /** @description Keys of this user, among those that the caller sees. */
        readonly user_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['Token'][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            readonly next_cursor: string | null;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TokensController_create: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly name: string;
          /** Format: uuid */
          readonly wallet_id?: string;
          /** @description Models that the token may use; null or empty means every active model. */
          readonly allowed_models?: readonly string[] | null;
          /** @description Addresses and networks, IPv4 or IPv6, that the key may be used from; null or empty means any. */
          readonly allowed_ips?: readonly string[] | null;
          /** @description USD that the token may spend at most; null means no limit. */
          readonly spending_quota?: string | null;
          /**
           * Format: date-time
           * @description From this moment on the key is refused; null means never.
           */
          readonly expires_at?: string | null;
          readonly disabled?: boolean;
          /** @description Replaces the limits as a whole; {} for none. */
          readonly limits?: {
            /** @description Requests in any 60 seconds. */
            readonly rpm?: number;
            /** @description Requests in any 24 hours. */
            readonly rpd?: number;
            /** @description Tokens in any 60 seconds, input and output. */
            readonly tpm?: number;
            /** @description Calls at the same time. */
            readonly concurrency?: number;
          };
          /** @description Replaces the budgets as a whole; {} for none. */
          readonly budgets?: {
            /** @description USD of one day. */
            readonly day?: string;
            /** @description USD of one week, which begins on Monday. */
            readonly week?: string;
            /** @description USD of one month. */
            readonly month?: string;
            /** @description Whose calendar counts; UTC by default. */
            readonly timezone?: string;
          };
          /** @description How old an answer may be that an equal call is given again, such as 60s; null gives none, unless a call asks. */
          readonly cache?: string | null;
          /** @description Model for calls that name one that there is not; null means that they are refused. */
          readonly default_model?: string | null;
          /** @description Whether the Responses API remembers its calls, here and at the provider; true by default. */
          readonly store_responses?: boolean;
          /**
           * Format: uuid
           * @description The project that pays for it; in place of wallet_id. For the project's owners and members.
           */
          readonly project_id?: string;
          /**
           * Format: uuid
           * @description Whose key it is; the caller by default. For administrators, and for owners of a project its owners and members.
           */
          readonly user_id?: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TokenWithKey'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TokensController_show: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Token'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TokensController_delete: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TokensController_change: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': {
          readonly name?: string;
          /** Format: uuid */
          readonly wallet_id?: string;
          /** @description Models that the token may use; null or empty means every active model. */
          readonly allowed_models?: readonly string[] | null;
          /** @description Addresses and networks, IPv4 or IPv6, that the key may be used from; null or empty means any. */
          readonly allowed_ips?: readonly string[] | null;
          /** @description USD that the token may spend at most; null means no limit. */
          readonly spending_quota?: string | null;
          /**
           * Format: date-time
           * @description From this moment on the key is refused; null means never.
           */
          readonly expires_at?: string | null;
          readonly disabled?: boolean;
          /** @description Replaces the limits as a whole; {} for none. */
          readonly limits?: {
            /** @description Requests in any 60 seconds. */
            readonly rpm?: number;
            /** @description Requests in any 24 hours. */
            readonly rpd?: number;
            /** @description Tokens in any 60 seconds, input and output. */
            readonly tpm?: number;
            /** @description Calls at the same time. */
            readonly concurrency?: number;
          };
          /** @description Replaces the budgets as a whole; {} for none. */
          readonly budgets?: {
            /** @description USD of one day. */
            readonly day?: string;
            /** @description USD of one week, which begins on Monday. */
            readonly week?: string;
            /** @description USD of one month. */
            readonly month?: string;
            /** @description Whose calendar counts; UTC by default. */
            readonly timezone?: string;
          };
          /** @description How old an answer may be that an equal call is given again, such as 60s; null gives none, unless a call asks. */
          readonly cache?: string | null;
          /** @description Model for calls that name one that there is not; null means that they are refused. */
          readonly default_model?: string | null;
          /** @description Whether the Responses API remembers its calls, here and at the provider; true by default. */
          readonly store_responses?: boolean;
          /**
           * @description null: the key before a rotation stops at once.
           * @enum {string|null}
           */
          readonly former_key_until?: null;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Token'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TokensController_rotate: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': {
          /**
           * @description How long the old key works beside the new one; 0: it stops at once, as one of an earlier rotation does.
           * @default 0
           */
          readonly grace_seconds?: number;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TokenWithKey'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly BudgetsController_ofMany: {
    readonly parameters: {
      readonly query: {
        readonly ids: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['Budget'][];
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly BudgetsController_ofToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['Budget'][];
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly BudgetsController_ofWallet: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['Budget'][];
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly BudgetsController_ofUser: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['Budget'][];
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ChannelsController_list: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows at most. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before, which was sorted in the same way. */
        readonly cursor?: string;
        /** @description Rows whose name holds this, in any case. */
        readonly search?: string;
        readonly order?: 'asc' | 'desc';
        readonly sort?: 'created' | 'name' | 'type' | 'priority';
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['Channel'][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            readonly next_cursor: string | null;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ChannelsController_create: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly name: string;
          /** @description A provider: openai, openai-compatible, ... */
          readonly type: string;
          /** @description Public slug to the upstream's model name; a list means the same names. */
          readonly models?:
            | readonly string[]
            | {
                readonly [key: string]: string;
              };
          /**
           * Format: uri
           * @description The upstream's address; null where the type has a well-known one.
           */
          readonly base_url?: string | null;
          /** @description Write-only. */
          readonly api_key?: string;
          /** @description Used in turn; write-only. */
          readonly api_keys?: readonly string[];
          /** @description By type. Secret ones are write-only: kept when left out, removed by null. */
          readonly settings?: {
            readonly [key: string]: unknown;
          };
          /** @description Higher is tried first. */
          readonly priority?: number;
          /** @description Share among channels of equal priority. */
          readonly weight?: number;
          readonly timeout?: {
            readonly connect?: string;
            readonly first_byte?: string;
            readonly idle?: string;
            readonly total?: string;
          };
          /**
           * @description What happens to a whole answer whose caller has left; null is the default of the type.
           * @enum {string|null}
           */
          readonly on_abort?: 'finish' | 'cancel' | null;
          /**
           * @description Whether prompts are marked for the provider's cache where the caller marked nothing.
           * @enum {string}
           */
          readonly prompt_caching?: 'auto' | 'off';
          /**
           * @description Who carries out lines of batches: the gateway as calls, or the provider as its own batches (`native`, where `native_batches` of its type says so).
           * @enum {string}
           */
          readonly batches?: 'gateway' | 'native';
          /** @description The provider's own, which the gateways keep; replaces them as a whole. */
          readonly limits?: {
            /** @description Requests in any 60 seconds. */
            readonly rpm?: number;
            /** @description Requests in any 24 hours. */
            readonly rpd?: number;
            /** @description Tokens in any 60 seconds, input and output. */
            readonly tpm?: number;
            /** @description Calls at the same time. */
            readonly concurrency?: number;
          };
          /** @description A tiny call is made when the channel had no calls for so long, such as 5m; null for none. */
          readonly probe?: string | null;
          readonly enabled?: boolean;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Channel'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ChannelsController_show: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Channel'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ChannelsController_delete: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ChannelsController_change: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': {
          readonly name?: string;
          /**
           * Format: uri
           * @description The upstream's address; null where the type has a well-known one.
           */
          readonly base_url?: string | null;
          /** @description Write-only. */
          readonly api_key?: string;
          /** @description Used in turn; write-only. */
          readonly api_keys?: readonly string[];
          /** @description Public slug to the upstream's model name; a list means the same names. */
          readonly models?:
            | readonly string[]
            | {
                readonly [key: string]: string;
              };
          /** @description By type. Secret ones are write-only: kept when left out, removed by null. */
          readonly settings?: {
            readonly [key: string]: unknown;
          };
          /** @description Higher is tried first. */
          readonly priority?: number;
          /** @description Share among channels of equal priority. */
          readonly weight?: number;
          readonly timeout?: {
            readonly connect?: string;
            readonly first_byte?: string;
            readonly idle?: string;
            readonly total?: string;
          };
          /**
           * @description What happens to a whole answer whose caller has left; null is the default of the type.
           * @enum {string|null}
           */
          readonly on_abort?: 'finish' | 'cancel' | null;
          /**
           * @description Whether prompts are marked for the provider's cache where the caller marked nothing.
           * @enum {string}
           */
          readonly prompt_caching?: 'auto' | 'off';
          /**
           * @description Who carries out lines of batches: the gateway as calls, or the provider as its own batches (`native`, where `native_batches` of its type says so).
           * @enum {string}
           */
          readonly batches?: 'gateway' | 'native';
          /** @description The provider's own, which the gateways keep; replaces them as a whole. */
          readonly limits?: {
            /** @description Requests in any 60 seconds. */
            readonly rpm?: number;
            /** @description Requests in any 24 hours. */
            readonly rpd?: number;
            /** @description Tokens in any 60 seconds, input and output. */
            readonly tpm?: number;
            /** @description Calls at the same time. */
            readonly concurrency?: number;
          };
          /** @description A tiny call is made when the channel had no calls for so long, such as 5m; null for none. */
          readonly probe?: string | null;
          readonly enabled?: boolean;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Channel'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ChannelsController_test: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': {
          /** @description One of the channel's models; its first by default. */
          readonly model?: string;
          /** @description In place of model: the provider's name of a model, which the channel need not serve yet. */
          readonly name?: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChannelTest'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ChannelKeysController_add: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @description Write-only. */
          readonly api_key: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Channel'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ChannelKeysController_remove: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
        readonly key_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done. */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ChannelKeysController_change: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
        readonly key_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly enabled: boolean;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Channel'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ChannelModelsController_discover: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['OfferedModels'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ChannelModelsController_add: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly models: readonly {
            /** @description The provider's name of it. */
            readonly name: string;
            /** @description What callers name it by. */
            readonly slug: string;
            /**
             * @description Of a model that there is not yet.
             * @enum {string}
             */
            readonly kind:
              | 'chat'
              | 'embedding'
              | 'image'
              | 'transcription'
              | 'speech'
              | 'moderation'
              | 'rerank'
              | 'realtime'
              | 'video';
            /** @description Of a model that has none in force; others keep theirs. */
            readonly price?: {
              readonly input_per_million?: string;
              readonly cached_input_per_million?: string;
              readonly cache_write_per_million?: string;
              readonly cache_write_1h_per_million?: string;
              readonly image_input_per_million?: string;
              readonly audio_input_per_million?: string;
              readonly output_per_million?: string;
              readonly image_output_per_million?: string;
              readonly audio_output_per_million?: string;
              readonly per_million_characters?: string;
              readonly per_image?: string;
              readonly per_second?: string;
              readonly per_minute?: string;
              readonly per_request?: string;
              readonly per_web_search?: string;
              readonly per_file_search?: string;
              readonly per_code_session?: string;
              readonly long_context?: {
                readonly above_tokens: number | string;
                readonly input_per_million?: string;
                readonly cached_input_per_million?: string;
                readonly cache_write_per_million?: string;
                readonly cache_write_1h_per_million?: string;
                readonly image_input_per_million?: string;
                readonly audio_input_per_million?: string;
                readonly output_per_million?: string;
                readonly image_output_per_million?: string;
                readonly audio_output_per_million?: string;
                readonly per_million_characters?: string;
                readonly per_image?: string;
                readonly per_second?: string;
                readonly per_minute?: string;
                readonly per_request?: string;
                readonly per_web_search?: string;
                readonly per_file_search?: string;
                readonly per_code_session?: string;
              };
              readonly variants?: {
                readonly [key: string]: {
                  readonly input_per_million?: string;
                  readonly cached_input_per_million?: string;
                  readonly cache_write_per_million?: string;
                  readonly cache_write_1h_per_million?: string;
                  readonly image_input_per_million?: string;
                  readonly audio_input_per_million?: string;
                  readonly output_per_million?: string;
                  readonly image_output_per_million?: string;
                  readonly audio_output_per_million?: string;
                  readonly per_million_characters?: string;
                  readonly per_image?: string;
                  readonly per_second?: string;
                  readonly per_minute?: string;
                  readonly per_request?: string;
                  readonly per_web_search?: string;
                  readonly per_file_search?: string;
                  readonly per_code_session?: string;
                };
              };
              readonly tiers?: {
                readonly [key: string]: {
                  readonly input_per_million?: string;
                  readonly cached_input_per_million?: string;
                  readonly cache_write_per_million?: string;
                  readonly cache_write_1h_per_million?: string;
                  readonly image_input_per_million?: string;
                  readonly audio_input_per_million?: string;
                  readonly output_per_million?: string;
                  readonly image_output_per_million?: string;
                  readonly audio_output_per_million?: string;
                  readonly per_million_characters?: string;
                  readonly per_image?: string;
                  readonly per_second?: string;
                  readonly per_minute?: string;
                  readonly per_request?: string;
                  readonly per_web_search?: string;
                  readonly per_file_search?: string;
                  readonly per_code_session?: string;
                  readonly long_context?: {
                    readonly above_tokens: number | string;
                    readonly input_per_million?: string;
                    readonly cached_input_per_million?: string;
                    readonly cache_write_per_million?: string;
                    readonly cache_write_1h_per_million?: string;
                    readonly image_input_per_million?: string;
                    readonly audio_input_per_million?: string;
                    readonly output_per_million?: string;
                    readonly image_output_per_million?: string;
                    readonly audio_output_per_million?: string;
                    readonly per_million_characters?: string;
                    readonly per_image?: string;
                    readonly per_second?: string;
                    readonly per_minute?: string;
                    readonly per_request?: string;
                    readonly per_web_search?: string;
                    readonly per_file_search?: string;
                    readonly per_code_session?: string;
                  };
                };
              };
              readonly batch_share?: string;
              readonly cache_share?: string;
            };
            readonly context_window?: number | null;
            readonly max_output_tokens?: number | null;
          }[];
          /** @description Switches the channel on or off as well. */
          readonly enabled?: boolean;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Channel'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ChannelTypesController_list: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['ChannelType'][];
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ModelsController_list: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows at most. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before, which was sorted in the same way. */
        readonly cursor?: string;
        /** @description Rows whose name holds this, in any case. */
        readonly search?: string;
        readonly order?: 'asc' | 'desc';
        readonly sort?: 'slug' | 'kind' | 'state';
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['Model'][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            readonly next_cursor: string | null;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ModelsController_create: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly slug: string;
          /** @enum {string} */
          readonly kind:
            | 'chat'
            | 'embedding'
            | 'image'
            | 'transcription'
            | 'speech'
            | 'moderation'
            | 'rerank'
            | 'realtime'
            | 'video';
          /** @enum {string} */
          readonly state?: 'active' | 'disabled';
          /** @description Most tokens of one answer, where known. */
          readonly max_output_tokens?: number | null;
          /** @description Most tokens of a prompt, images and files included, where known. */
          readonly context_window?: number | null;
          /** @description Slugs of models that its calls may go to, in this order. */
          readonly fallback?: readonly string[];
          /** @description When: every channel failed, the prompt is too long, the content was refused. */
          readonly fallback_on?: readonly ('failure' | 'context' | 'refusal')[];
          /**
           * @description How channels of equal priority are ordered.
           * @enum {string}
           */
          readonly routing?: 'priority' | 'latency' | 'busy' | 'cost';
          /** @description Whether calls of one conversation go to one channel and key. */
          readonly sticky?: boolean;
          /** @description Whether another channel is asked as well when a whole answer is late; for 2 % of calls at most. */
          readonly hedge?: boolean;
          /** @description How long a stream may take until its first event, such as 20s; then the next channel is tried. */
          readonly first_token_timeout?: string | null;
          /** @description Of all calls of the model; replaces the limits as a whole. */
          readonly limits?: {
            /** @description Requests in any 60 seconds. */
            readonly rpm?: number;
            /** @description Requests in any 24 hours. */
            readonly rpd?: number;
            /** @description Tokens in any 60 seconds, input and output. */
            readonly tpm?: number;
            /** @description Calls at the same time. */
            readonly concurrency?: number;
          };
          /** @description Other names that calls may ask for it by, such as small-*; a slug comes before every alias. */
          readonly aliases?: readonly string[];
          /** @description USD, decimal strings. A change starts a new price version. */
          readonly price?: {
            readonly input_per_million?: string;
            readonly cached_input_per_million?: string;
            readonly cache_write_per_million?: string;
            readonly cache_write_1h_per_million?: string;
            readonly image_input_per_million?: string;
            readonly audio_input_per_million?: string;
            readonly output_per_million?: string;
            readonly image_output_per_million?: string;
            readonly audio_output_per_million?: string;
            readonly per_million_characters?: string;
            readonly per_image?: string;
            readonly per_second?: string;
            readonly per_minute?: string;
            readonly per_request?: string;
            readonly per_web_search?: string;
            readonly per_file_search?: string;
            readonly per_code_session?: string;
            readonly long_context?: {
              readonly above_tokens: number | string;
              readonly input_per_million?: string;
              readonly cached_input_per_million?: string;
              readonly cache_write_per_million?: string;
              readonly cache_write_1h_per_million?: string;
              readonly image_input_per_million?: string;
              readonly audio_input_per_million?: string;
              readonly output_per_million?: string;
              readonly image_output_per_million?: string;
              readonly audio_output_per_million?: string;
              readonly per_million_characters?: string;
              readonly per_image?: string;
              readonly per_second?: string;
              readonly per_minute?: string;
              readonly per_request?: string;
              readonly per_web_search?: string;
              readonly per_file_search?: string;
              readonly per_code_session?: string;
            };
            readonly variants?: {
              readonly [key: string]: {
                readonly input_per_million?: string;
                readonly cached_input_per_million?: string;
                readonly cache_write_per_million?: string;
                readonly cache_write_1h_per_million?: string;
                readonly image_input_per_million?: string;
                readonly audio_input_per_million?: string;
                readonly output_per_million?: string;
                readonly image_output_per_million?: string;
                readonly audio_output_per_million?: string;
                readonly per_million_characters?: string;
                readonly per_image?: string;
                readonly per_second?: string;
                readonly per_minute?: string;
                readonly per_request?: string;
                readonly per_web_search?: string;
                readonly per_file_search?: string;
                readonly per_code_session?: string;
              };
            };
            readonly tiers?: {
              readonly [key: string]: {
                readonly input_per_million?: string;
                readonly cached_input_per_million?: string;
                readonly cache_write_per_million?: string;
                readonly cache_write_1h_per_million?: string;
                readonly image_input_per_million?: string;
                readonly audio_input_per_million?: string;
                readonly output_per_million?: string;
                readonly image_output_per_million?: string;
                readonly audio_output_per_million?: string;
                readonly per_million_characters?: string;
                readonly per_image?: string;
                readonly per_second?: string;
                readonly per_minute?: string;
                readonly per_request?: string;
                readonly per_web_search?: string;
                readonly per_file_search?: string;
                readonly per_code_session?: string;
                readonly long_context?: {
                  readonly above_tokens: number | string;
                  readonly input_per_million?: string;
                  readonly cached_input_per_million?: string;
                  readonly cache_write_per_million?: string;
                  readonly cache_write_1h_per_million?: string;
                  readonly image_input_per_million?: string;
                  readonly audio_input_per_million?: string;
                  readonly output_per_million?: string;
                  readonly image_output_per_million?: string;
                  readonly audio_output_per_million?: string;
                  readonly per_million_characters?: string;
                  readonly per_image?: string;
                  readonly per_second?: string;
                  readonly per_minute?: string;
                  readonly per_request?: string;
                  readonly per_web_search?: string;
                  readonly per_file_search?: string;
                  readonly per_code_session?: string;
                };
              };
            };
            readonly batch_share?: string;
            readonly cache_share?: string;
          };
          /**
           * Format: date-time
           * @description When the price takes effect; at once by default.
           */
          readonly effective_from?: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ModelWithPrices'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ModelsController_show: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description The slug; it may hold slashes. */
        readonly path: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ModelWithPrices'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly ModelsController_change: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description The slug; it may hold slashes. */
        readonly path: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': {
          /** @enum {string} */
          readonly kind?:
            | 'chat'
            | 'embedding'
            | 'image'
            | 'transcription'
            | 'speech'
            | 'moderation'
            | 'rerank'
            | 'realtime'
            | 'video';
          /** @enum {string} */
          readonly state?: 'active' | 'disabled';
          /** @description Most tokens of one answer, where known. */
          readonly max_output_tokens?: number | null;
          /** @description Most tokens of a prompt, images and files included, where known. */
          readonly context_window?: number | null;
          /** @description Slugs of models that its calls may go to, in this order. */
          readonly fallback?: readonly string[];
          /** @description When: every channel failed, the prompt is too long, the content was refused. */
          readonly fallback_on?: readonly ('failure' | 'context' | 'refusal')[];
          /**
           * @description How channels of equal priority are ordered.
           * @enum {string}
           */
          readonly routing?: 'priority' | 'latency' | 'busy' | 'cost';
          /** @description Whether calls of one conversation go to one channel and key. */
          readonly sticky?: boolean;
          /** @description Whether another channel is asked as well when a whole answer is late; for 2 % of calls at most. */
          readonly hedge?: boolean;
          /** @description How long a stream may take until its first event, such as 20s; then the next channel is tried. */
          readonly first_token_timeout?: string | null;
          /** @description Of all calls of the model; replaces the limits as a whole. */
          readonly limits?: {
            /** @description Requests in any 60 seconds. */
            readonly rpm?: number;
            /** @description Requests in any 24 hours. */
            readonly rpd?: number;
            /** @description Tokens in any 60 seconds, input and output. */
            readonly tpm?: number;
            /** @description Calls at the same time. */
            readonly concurrency?: number;
          };
          /** @description Other names that calls may ask for it by, such as small-*; a slug comes before every alias. */
          readonly aliases?: readonly string[];
          /** @description USD, decimal strings. A change starts a new price version. */
          readonly price?: {
            readonly input_per_million?: string;
            readonly cached_input_per_million?: string;
            readonly cache_write_per_million?: string;
            readonly cache_write_1h_per_million?: string;
            readonly image_input_per_million?: string;
            readonly audio_input_per_million?: string;
            readonly output_per_million?: string;
            readonly image_output_per_million?: string;
            readonly audio_output_per_million?: string;
            readonly per_million_characters?: string;
            readonly per_image?: string;
            readonly per_second?: string;
            readonly per_minute?: string;
            readonly per_request?: string;
            readonly per_web_search?: string;
            readonly per_file_search?: string;
            readonly per_code_session?: string;
            readonly long_context?: {
              readonly above_tokens: number | string;
              readonly input_per_million?: string;
              readonly cached_input_per_million?: string;
              readonly cache_write_per_million?: string;
              readonly cache_write_1h_per_million?: string;
              readonly image_input_per_million?: string;
              readonly audio_input_per_million?: string;
              readonly output_per_million?: string;
              readonly image_output_per_million?: string;
              readonly audio_output_per_million?: string;
              readonly per_million_characters?: string;
              readonly per_image?: string;
              readonly per_second?: string;
              readonly per_minute?: string;
              readonly per_request?: string;
              readonly per_web_search?: string;
              readonly per_file_search?: string;
              readonly per_code_session?: string;
            };
            readonly variants?: {
              readonly [key: string]: {
                readonly input_per_million?: string;
                readonly cached_input_per_million?: string;
                readonly cache_write_per_million?: string;
                readonly cache_write_1h_per_million?: string;
                readonly image_input_per_million?: string;
                readonly audio_input_per_million?: string;
                readonly output_per_million?: string;
                readonly image_output_per_million?: string;
                readonly audio_output_per_million?: string;
                readonly per_million_characters?: string;
                readonly per_image?: string;
                readonly per_second?: string;
                readonly per_minute?: string;
                readonly per_request?: string;
                readonly per_web_search?: string;
                readonly per_file_search?: string;
                readonly per_code_session?: string;
              };
            };
            readonly tiers?: {
              readonly [key: string]: {
                readonly input_per_million?: string;
                readonly cached_input_per_million?: string;
                readonly cache_write_per_million?: string;
                readonly cache_write_1h_per_million?: string;
                readonly image_input_per_million?: string;
                readonly audio_input_per_million?: string;
                readonly output_per_million?: string;
                readonly image_output_per_million?: string;
                readonly audio_output_per_million?: string;
                readonly per_million_characters?: string;
                readonly per_image?: string;
                readonly per_second?: string;
                readonly per_minute?: string;
                readonly per_request?: string;
                readonly per_web_search?: string;
                readonly per_file_search?: string;
                readonly per_code_session?: string;
                readonly long_context?: {
                  readonly above_tokens: number | string;
                  readonly input_per_million?: string;
                  readonly cached_input_per_million?: string;
                  readonly cache_write_per_million?: string;
                  readonly cache_write_1h_per_million?: string;
                  readonly image_input_per_million?: string;
                  readonly audio_input_per_million?: string;
                  readonly output_per_million?: string;
                  readonly image_output_per_million?: string;
                  readonly audio_output_per_million?: string;
                  readonly per_million_characters?: string;
                  readonly per_image?: string;
                  readonly per_second?: string;
                  readonly per_minute?: string;
                  readonly per_request?: string;
                  readonly per_web_search?: string;
                  readonly per_file_search?: string;
                  readonly per_code_session?: string;
                };
              };
            };
            readonly batch_share?: string;
            readonly cache_share?: string;
          };
          /**
           * Format: date-time
           * @description When the price takes effect; at once by default.
           */
          readonly effective_from?: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ModelWithPrices'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly CatalogController_list: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows at most. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before. */
        readonly cursor?: string;
        /** @description Rows whose name holds this, in any case. */
        readonly search?: string;
        /** @description Slugs, separated by commas: these models alone. */
        readonly slugs?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['CatalogModel'][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            readonly next_cursor: string | null;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly PriceImportController_review: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @description The file. Prices are USD. */
          readonly content: string;
          /** @enum {string} */
          readonly format: 'json' | 'yaml' | 'csv';
          /**
           * @description Where the file is from; stays with each price.
           * @default
           */
          readonly source?: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['PriceImport'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly PriceImportController_show: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['PriceImport'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly PriceImportController_apply: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['PriceImport'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly LogsController_list: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows at most. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before. */
        readonly cursor?: string;
        /** @description Calls at this moment or later. */
        readonly from?: string;
        /** @description Calls before this moment. */
        readonly to?: string;
        readonly token_id?: string;
        readonly model?: string;
        /** @description HTTP status of the answer. */
        readonly status?: number;
        readonly endpoint?: string;
        /** @description Calls that this channel answered, or was tried for. For administrators. */
        readonly channel?: string;
        readonly error_code?: string;
        readonly stream?: 'true' | 'false';
        /** @description true: errors alone; false: successes alone. */
        readonly failed?: 'true' | 'false';
        /** @description client: errors of 4xx alone; server: those of 5xx alone. */
        readonly error_class?: 'client' | 'server';
        /** @description Calls of this user; members see their own alone, or those of a project that shows them all. */
        readonly user_id?: string;
        /** @description Whether more than one channel, or key of one, was asked. For administrators. */
        readonly failed_over?: 'true' | 'false';
        /** @description USD that a call cost at least. */
        readonly min_cost?: string;
        readonly min_latency_ms?: number;
        readonly request_id?: string;
        /** @description Calls that this project pays for. */
        readonly project_id?: string;
        /** @description cost and latency: the dearest and the slowest of the newest 100,000 calls that the filters leave, in one page. */
        readonly sort?: 'newest' | 'cost' | 'latency';
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['LoggedCall'][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            readonly next_cursor: string | null;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly LogsController_show: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly request_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['LoggedCall'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly LogExportController_export: {
    readonly parameters: {
      readonly query?: {
        /** @description Calls at this moment or later. */
        readonly from?: string;
        /** @description Calls before this moment. */
        readonly to?: string;
        readonly token_id?: string;
        readonly model?: string;
        /** @description HTTP status of the answer. */
        readonly status?: number;
        readonly endpoint?: string;
        /** @description Calls that this channel answered, or was tried for. For administrators. */
        readonly channel?: string;
        readonly error_code?: string;
        readonly stream?: 'true' | 'false';
        /** @description true: errors alone; false: successes alone. */
        readonly failed?: 'true' | 'false';
        /** @description client: errors of 4xx alone; server: those of 5xx alone. */
        readonly error_class?: 'client' | 'server';
        /** @description Calls of this user; members see their own alone, or those of a project that shows them all. */
        readonly user_id?: string;
        /** @description Whether more than one channel, or key of one, was asked. For administrators. */
        readonly failed_over?: 'true' | 'false';
        /** @description USD that a call cost at least. */
        readonly min_cost?: string;
        readonly min_latency_ms?: number;
        readonly request_id?: string;
        /** @description Calls that this project pays for. */
        readonly project_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/csv': string;
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly UsageController_show: {
    readonly parameters: {
      readonly query?: {
        /** @description all: one sum of everything. By channel: for administrators; by user: for them, and with project_id for owners and viewers. */
        readonly group_by?: 'all' | 'day' | 'model' | 'token' | 'user' | 'channel' | 'project';
        /** @description 30 days ago by default. */
        readonly from?: string;
        /** @description Now by default. */
        readonly to?: string;
        /** @description Keys at most, most expensive first. */
        readonly limit?: number;
        /** @description Calls that this project pays for. */
        readonly project_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['UsageSum'][];
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly UsageController_showSeries: {
    readonly parameters: {
      readonly query?: {
        readonly bucket?: 'hour' | 'day';
        /** @description By default 30 days before `to`, one day for hours. The first hour or day is the one that contains it, and is whole. */
        readonly from?: string;
        /** @description Now by default. The last hour or day is the one that ends with it or contains it, and is whole. */
        readonly to?: string;
        readonly model?: string;
        readonly token_id?: string;
        /** @description For administrators. */
        readonly channel?: string;
        /** @description Calls that this project pays for. */
        readonly project_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['UsagePoint'][];
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly WasteController_show: {
    readonly parameters: {
      readonly query?: {
        /** @description By default 30 days before `to`. */
        readonly from?: string;
        /** @description Now by default. */
        readonly to?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['WasteSum'][];
            readonly total: components['schemas']['WasteTotal'];
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TasksController_list: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows at most. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before, which was sorted in the same way. */
        readonly cursor?: string;
        readonly order?: 'asc' | 'desc';
        readonly sort?: 'created' | 'model' | 'seconds' | 'charged';
        readonly state?:
          | 'created'
          | 'submitting'
          | 'submit_unknown'
          | 'submitted'
          | 'running'
          | 'succeeded'
          | 'failed'
          | 'expired'
          | 'cancelled';
        readonly model?: string;
        readonly token_id?: string;
        /** @description Tasks that this project pays for. */
        readonly project_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['VideoTask'][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            readonly next_cursor: string | null;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TasksController_show: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['VideoTaskWithHistory'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TaskContentsController_link: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ContentLink'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly TaskContentsController_play: {
    readonly parameters: {
      readonly query?: {
        readonly token?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly public_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'video/mp4': string;
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly RedemptionController_list: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows at most. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before. */
        readonly cursor?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['CodeBatch'][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            readonly next_cursor: string | null;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly RedemptionController_create: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @description Value of each code in USD. */
          readonly amount: string & string;
          readonly count: number;
          /**
           * @description Shown in the ledger of who redeems.
           * @default
           */
          readonly note?: string;
          /**
           * Format: date-time
           * @default null
           */
          readonly expires_at?: string | null;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CodeBatchWithCodes'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly RedemptionController_redeem: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly code: string;
          /**
           * Format: uuid
           * @description Your first wallet by default.
           */
          readonly wallet_id?: string;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly entry: components['schemas']['LedgerEntry'];
            readonly balance: string;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly RedemptionController_change: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @description Codes of a disabled batch cannot be redeemed; those that were stay so. */
          readonly disabled: boolean;
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CodeBatch'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly RedemptionController_listCodes: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows at most. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before. */
        readonly cursor?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['RedemptionCode'][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            readonly next_cursor: string | null;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly AuditController_list: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows at most. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before. */
        readonly cursor?: string;
        /** @description Changes by this user. */
        readonly actor_id?: string;
        /** @description What was done, as in token.create. */
        readonly action?: string;
        readonly target_type?: string;
        readonly target_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['AuditEntry'][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            readonly next_cursor: string | null;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly AlertsController_list: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows at most. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before. */
        readonly cursor?: string;
        /** @description Both when left out. */
        readonly state?: 'open' | 'resolved';
        readonly kind?: 'channel_failing' | 'wallet_balance' | 'budget' | 'ledger_drift' | 'queue_age';
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['Alert'][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            readonly next_cursor: string | null;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly AlertsController_show: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['AlertSettings'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly AlertsController_change: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': {
          /** @description Rules and fields that are left out stay as they are. */
          readonly rules?: {
            readonly channel_failing?: {
              /** @description Whether operators are alerted. */
              readonly enabled?: boolean;
              /** @description Attempts of ten minutes that failed at least, and more than were served. */
              readonly failed?: number;
            };
            readonly wallet_balance?: {
              /** @description Whether operators are alerted. */
              readonly enabled?: boolean;
              /** @description USD, with the credit limit; of wallets that keys have spent from. */
              readonly below?: string;
            };
            readonly budget?: {
              /** @description Whether operators are alerted. */
              readonly enabled?: boolean;
            };
            readonly ledger_drift?: {
              /** @description Whether operators are alerted. */
              readonly enabled?: boolean;
            };
            readonly queue_age?: {
              /** @description Whether operators are alerted. */
              readonly enabled?: boolean;
              /** @description How long usage may wait to be charged, and a video task for a worker. */
              readonly seconds?: number;
            };
          };
          /**
           * Format: uri
           * @description Where messages are posted; null for that of the environment. Write-only.
           */
          readonly webhook_url?: string | null;
          /**
           * Format: uri
           * @description The mail server with its user and password; null for that of the environment. Write-only.
           */
          readonly smtp_url?: string | null;
          /** Format: email */
          readonly email_from?: string | null;
          readonly email_to?: readonly string[];
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['AlertSettings'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly AlertsController_showSecret: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['AlertSecrets'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly AlertsController_test: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': {
          /**
           * @description Every way that is set when left out.
           * @enum {string}
           */
          readonly via?: 'webhook' | 'email';
        };
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['AlertTest'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly CapturesController_start: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': components['schemas']['CaptureSetting'];
      };
    };
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Token'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly CapturesController_stop: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Token'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 409: components['responses']['Error409'];
      readonly 413: components['responses']['Error413'];
      readonly 415: components['responses']['Error415'];
      readonly 429: components['responses']['Error429'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly CapturesController_list: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows at most. */
        readonly limit?: number;
        /** @description `next_cursor` of the page before. */
        readonly cursor?: string;
        readonly token_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly data: readonly components['schemas']['CapturedCall'][];
            /** @description Ask with it as `cursor` for the next page; null on the last. */
            readonly next_cursor: string | null;
          };
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly CapturesController_read: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly request_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CapturedBodies'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 404: components['responses']['Error404'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly SettingsController_show: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Settings'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly SettingsController_showPublic: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['PublicSettings'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly SystemController_show: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['System'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
  readonly AttemptsController_show: {
    readonly parameters: {
      readonly query?: {
        /** @description One channel alone. */
        readonly channel_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The answer. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Attempts'];
        };
      };
      readonly 400: components['responses']['Error400'];
      readonly 401: components['responses']['Error401'];
      readonly 403: components['responses']['Error403'];
      readonly 500: components['responses']['Error500'];
      readonly 503: components['responses']['Error503'];
    };
  };
}
