-- What happens in a lab. Words in CHECKs are those of the program; checksums are SHA-256.

CREATE TABLE fact (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- Every file of the lab that must not change by itself, seen from its folder.
CREATE TABLE file (
    path   TEXT PRIMARY KEY,
    bytes  INTEGER NOT NULL,
    sha256 TEXT NOT NULL
) STRICT;

-- A system: what a team (or the organisers) entered for a task, whatever the topics.
CREATE TABLE system (
    number      INTEGER PRIMARY KEY,
    team        TEXT NOT NULL COLLATE NOCASE,
    task        INTEGER NOT NULL CHECK (task IN (1, 2, 3)),
    run         TEXT NOT NULL COLLATE NOCASE,
    role        TEXT NOT NULL CHECK (role IN ('team', 'baseline')),
    evaluation  TEXT NOT NULL CHECK (evaluation IN ('P', 'A')),
    pooled_as   TEXT NOT NULL CHECK (pooled_as IN ('P', 'A')),
    run_type    TEXT NOT NULL CHECK (run_type IN ('auto', 'manual')),
    data        TEXT NOT NULL CHECK (data IN ('text', 'math', 'both', 'links')),
    answer_type TEXT CHECK (answer_type IN ('extract', 'generate')),
    about       TEXT NOT NULL,
    UNIQUE (team, task, run)
) STRICT;

-- Topic sets whose judgments a system learned from.
CREATE TABLE trained_on (
    system    INTEGER NOT NULL REFERENCES system (number),
    topic_set TEXT NOT NULL,
    PRIMARY KEY (system, topic_set)
) STRICT, WITHOUT ROWID;

-- A run of a system on a set of topics.
CREATE TABLE submission (
    number       INTEGER PRIMARY KEY,
    system       INTEGER NOT NULL REFERENCES system (number),
    topic_set    TEXT NOT NULL,
    path         TEXT NOT NULL UNIQUE REFERENCES file (path),
    rows         INTEGER NOT NULL,
    topics       INTEGER NOT NULL,
    warnings     INTEGER NOT NULL,
    submitted_by TEXT NOT NULL,
    submitted_at TEXT NOT NULL,
    UNIQUE (system, topic_set)
) STRICT;

-- What assessors shall look at. The newest pool of a kind and set is the one that counts.
CREATE TABLE pool (
    number    INTEGER PRIMARY KEY,
    kind      TEXT NOT NULL CHECK (kind IN ('answers', 'formulas')),
    topic_set TEXT NOT NULL,
    rule      TEXT NOT NULL,
    seed      TEXT NOT NULL,
    made_at   TEXT NOT NULL
) STRICT;

CREATE TABLE pool_item (
    number   INTEGER PRIMARY KEY,
    pool     INTEGER NOT NULL REFERENCES pool (number),
    topic    TEXT NOT NULL,
    item     TEXT NOT NULL,
    kind     TEXT NOT NULL CHECK (kind IN ('post', 'answer', 'formula', 'instance')),
    -- The place in the order of judging; nothing while an adaptive pool holds the item back.
    place    INTEGER,
    -- How many instances of a formula the runs brought, of which some are shown.
    candidates INTEGER NOT NULL,
    UNIQUE (pool, topic, item)
) STRICT;

CREATE TABLE pool_source (
    item       INTEGER NOT NULL REFERENCES pool_item (number),
    submission INTEGER NOT NULL REFERENCES submission (number),
    rank       INTEGER NOT NULL,
    PRIMARY KEY (item, submission)
) STRICT, WITHOUT ROWID;

-- The instances of a formula that are shown, in their order.
CREATE TABLE pool_instance (
    item     INTEGER NOT NULL REFERENCES pool_item (number),
    place    INTEGER NOT NULL,
    instance TEXT NOT NULL,
    post     TEXT,
    PRIMARY KEY (item, place)
) STRICT, WITHOUT ROWID;

-- Texts of answers that systems wrote.
CREATE TABLE answer (
    id    TEXT PRIMARY KEY,
    topic TEXT NOT NULL,
    text  TEXT NOT NULL
) STRICT;

-- Who said what: rows are added and never changed. A later row of the same assessor for the
-- same thing takes the place of an earlier one.
CREATE TABLE judgment (
    number    INTEGER PRIMARY KEY AUTOINCREMENT,
    kind      TEXT NOT NULL CHECK (kind IN ('answers', 'formulas')),
    topic_set TEXT NOT NULL,
    topic     TEXT NOT NULL,
    item      TEXT NOT NULL,
    instance  TEXT,
    stage     TEXT NOT NULL,
    assessor  TEXT NOT NULL,
    verdict   TEXT NOT NULL,
    comment   TEXT NOT NULL,
    seconds   REAL,
    judged_at TEXT NOT NULL,
    origin    TEXT NOT NULL
) STRICT;
CREATE INDEX judgment_of ON judgment (kind, topic_set, stage, topic, item);
CREATE TRIGGER judgment_is_never_changed BEFORE UPDATE ON judgment
BEGIN SELECT RAISE (ABORT, 'judgments are never changed, only added'); END;
CREATE TRIGGER judgment_is_never_removed BEFORE DELETE ON judgment
BEGIN SELECT RAISE (ABORT, 'judgments are never removed, only added'); END;

-- Whether answers look machine-made or hold unrelated things, asked after judging.
CREATE TABLE flag (
    number            INTEGER PRIMARY KEY AUTOINCREMENT,
    topic_set         TEXT NOT NULL,
    topic             TEXT NOT NULL,
    item              TEXT NOT NULL,
    assessor          TEXT NOT NULL,
    machine_generated INTEGER CHECK (machine_generated IN (0, 1)),
    unrelated         INTEGER CHECK (unrelated IN (0, 1)),
    judged_at         TEXT NOT NULL
) STRICT;

-- What organisers did.
CREATE TABLE event (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at     TEXT NOT NULL,
    who    TEXT NOT NULL,
    what   TEXT NOT NULL
) STRICT;
