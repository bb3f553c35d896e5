/**
 * The store's schema, one step a version; a step that has been released is never changed. `PRAGMA user_version` says
 * how many have run.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    owner TEXT NOT NULL,
    created_at TEXT NOT NULL,
    next_client INTEGER NOT NULL DEFAULT 1,
    next_shell INTEGER NOT NULL DEFAULT 1
  ) STRICT;
  CREATE TABLE shells (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (session_id, id)
  ) STRICT;
  CREATE TABLE chat (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (session_id, id)
  ) STRICT;
  CREATE TABLE client_states (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    place TEXT NOT NULL,
    client_id INTEGER NOT NULL,
    state TEXT,
    PRIMARY KEY (session_id, place)
  ) STRICT;
  CREATE TABLE keys (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    scheme TEXT NOT NULL CHECK (scheme IN ('api', 'bearer')),
    scopes TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    last_used_at TEXT
  ) STRICT;
  `,
  `
  CREATE TABLE invites (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('admin', 'writer', 'reader')),
    digest TEXT NOT NULL UNIQUE,
    uses_left INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE guests (
    digest TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('admin', 'writer', 'reader')),
    expires_at TEXT NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE plugins (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    manifest TEXT NOT NULL,
    manifest_url TEXT NOT NULL,
    entry_url TEXT NOT NULL,
    entry_sha256 TEXT NOT NULL,
    allowed TEXT NOT NULL,
    installed_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (session_id, id)
  ) STRICT;
  `,
  `
  CREATE TABLE budgets (
    scope TEXT PRIMARY KEY CHECK (scope IN ('day', 'session')),
    usd REAL NOT NULL
  ) STRICT;
  CREATE TABLE budget_alerts (
    scope TEXT NOT NULL,
    subject TEXT NOT NULL,
    percent INTEGER NOT NULL,
    PRIMARY KEY (scope, subject, percent)
  ) STRICT;
  `,
  `
  CREATE TABLE logins (
    code TEXT PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    client TEXT NOT NULL,
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    since TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    verdict TEXT CHECK (verdict IN ('allowed', 'denied'))
  ) STRICT;
  ALTER TABLE keys ADD COLUMN restrictions TEXT NOT NULL DEFAULT '{}';
  `,
  `
  CREATE TABLE requests (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    at TEXT NOT NULL,
    answer TEXT
  ) STRICT;
  CREATE TABLE shell_tokens (
    digest TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    shell_id INTEGER NOT NULL,
    user TEXT NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('authentication', 'call')),
    who TEXT,
    credential TEXT NOT NULL,
    address TEXT NOT NULL,
    session TEXT,
    action TEXT NOT NULL,
    params TEXT NOT NULL,
    outcome TEXT NOT NULL,
    client INTEGER,
    duration_ms INTEGER,
    count INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX audit_by_session ON audit (session, id);
  `,
  `
  CREATE TABLE notices (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    session TEXT NOT NULL,
    session_name TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    shell INTEGER,
    shown INTEGER NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE plugins ADD COLUMN entry BLOB;
  ALTER TABLE plugins ADD COLUMN answered TEXT;
  CREATE TABLE plugin_values (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    plugin_id TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (session_id, plugin_id, key)
  ) STRICT;
  `,
  // Of a shell from before it is not known who opened it: the least.
  `
  ALTER TABLE sessions ADD COLUMN restrict_shells INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE shell_tokens ADD COLUMN role TEXT NOT NULL DEFAULT 'writer';
  ALTER TABLE shell_tokens ADD COLUMN guest INTEGER NOT NULL DEFAULT 1;
  CREATE TABLE agent_permissions (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    agent TEXT NOT NULL,
    folder TEXT NOT NULL,
    allowed_at TEXT NOT NULL,
    PRIMARY KEY (session_id, agent, folder)
  ) STRICT;
  `,
  // Entries from before have no hash: the chain begins after them.
  `
  ALTER TABLE audit ADD COLUMN repeats INTEGER;
  ALTER TABLE audit ADD COLUMN digest TEXT;
  ALTER TABLE audit ADD COLUMN hash TEXT;
  CREATE INDEX audit_repeats ON audit (repeats) WHERE repeats IS NOT NULL;
  CREATE INDEX audit_by_caller ON audit (credential, who, id);
  CREATE TABLE audit_removed (id INTEGER PRIMARY KEY, digest TEXT NOT NULL) STRICT;
  CREATE TABLE audit_chain (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    anchor_id INTEGER NOT NULL,
    anchor_hash TEXT NOT NULL,
    head_id INTEGER NOT NULL,
    head_hash TEXT NOT NULL
  ) STRICT;
  INSERT INTO audit_chain SELECT 1, coalesce(max(id), 0), '', coalesce(max(id), 0), '' FROM audit;
  `,
  // `record` is the question as callers see it; `origin` says how its hook and its tool call are recognized.
  `
  CREATE TABLE questions (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'answered', 'withdrawn', 'expired')),
    record TEXT NOT NULL,
    origin TEXT NOT NULL,
    PRIMARY KEY (session_id, id)
  ) STRICT;
  `,
  // A guest's public id, and who holds the place of a client. Of a place from before that is not known.
  `
  ALTER TABLE guests RENAME TO earlier_guests;
  CREATE TABLE guests (
    digest TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('admin', 'writer', 'reader')),
    device TEXT NOT NULL,
    invite TEXT,
    since TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT;
  INSERT INTO guests
    SELECT digest, lower(hex(randomblob(6))), session_id, name, role, '', NULL,
      strftime('%Y-%m-%dT%H:%M:%fZ', expires_at, '-30 days'), strftime('%Y-%m-%dT%H:%M:%fZ', expires_at, '-30 days'),
      expires_at
    FROM earlier_guests;
  DROP TABLE earlier_guests;
  ALTER TABLE client_states ADD COLUMN holder TEXT;
  `,
  // Budgets of more scopes, in dollars or tokens. Those from before go on to warn only.
  `
  CREATE TABLE budget_limits (
    scope TEXT NOT NULL,
    subject TEXT NOT NULL,
    unit TEXT NOT NULL,
    amount REAL NOT NULL,
    at_limit TEXT NOT NULL,
    PRIMARY KEY (scope, subject, unit)
  ) STRICT;
  INSERT INTO budget_limits SELECT scope, '', 'dollars', usd, 'warn' FROM budgets;
  DROP TABLE budgets;
  CREATE TABLE budget_counts (
    scope TEXT NOT NULL,
    subject TEXT NOT NULL,
    unit TEXT NOT NULL,
    counted TEXT NOT NULL,
    percent INTEGER NOT NULL,
    raised REAL,
    state TEXT NOT NULL,
    session TEXT,
    question INTEGER,
    PRIMARY KEY (scope, subject, unit, counted)
  ) STRICT;
  INSERT INTO budget_counts
    SELECT scope, '', 'dollars', subject, max(percent), NULL, 'within', NULL, NULL FROM budget_alerts
    GROUP BY scope, subject;
  DROP TABLE budget_alerts;
  `,
  // `record` is the receipt as callers see it; `prompt` is what the relay needs to deliver it.
  `
  CREATE TABLE receipts (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id INTEGER NOT NULL,
    record TEXT NOT NULL,
    prompt TEXT NOT NULL,
    PRIMARY KEY (session_id, id)
  ) STRICT;
  `,
  // The guests who opened a shell or took it over, so that their removal reaches its token when they are long away.
  `
  ALTER TABLE shell_tokens ADD COLUMN guests TEXT NOT NULL DEFAULT '[]';
  `,
  // Rules that answer agents' questions. The audit log names them, so no id is used twice.
  `
  CREATE TABLE policies (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    rule TEXT NOT NULL
  ) STRICT;
  `,
  // A development version wrote its step 6 without this table.
  `
  CREATE TABLE IF NOT EXISTS requests (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    at TEXT NOT NULL,
    answer TEXT
  ) STRICT;
  `,
  // The key that made a key, an invite, a guest or the answer to a login: what it made ends with it.
  `
  ALTER TABLE keys ADD COLUMN made_by TEXT;
  ALTER TABLE invites ADD COLUMN made_by TEXT;
  ALTER TABLE guests ADD COLUMN made_by TEXT;
  ALTER TABLE logins ADD COLUMN made_by TEXT;
  `,
  // Hooks that events are sent to, and their messages. Their URLs and secrets are in the keychain.
  `
  CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    settings TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE webhook_deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'dead')),
    message TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    due INTEGER NOT NULL,
    status INTEGER,
    error TEXT,
    UNIQUE (webhook, id)
  ) STRICT;
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook, state, due);
  `,
  // What the owner has decided about the history on disk; without a row the owner was not asked.
  `
  CREATE TABLE history_settings (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    record TEXT NOT NULL
  ) STRICT;
  `,
  // How a shell was started and how it ended, and the folders whose shells start again by themselves. Of a shell from before
  // neither is known.
  `
  ALTER TABLE shells ADD COLUMN start TEXT;
  ALTER TABLE shells ADD COLUMN ending TEXT;
  CREATE TABLE restore_folders (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    folder TEXT NOT NULL,
    PRIMARY KEY (session_id, folder)
  ) STRICT;
  `,
  // The lines that may resume agents where shells start again by themselves: those that were shown when one was started again.
  // In a folder from before none was noted.
  `
  ALTER TABLE restore_folders ADD COLUMN lines TEXT NOT NULL DEFAULT '[]';
  `,
];
