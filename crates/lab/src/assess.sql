-- How people judge: accounts, batches of work, who has which, and what they did. The judgments
-- themselves are rows of the log like all others; `judged` says to which piece of work one belongs.
-- Moments are seconds since 1970.

-- Who may come in. The name stands in judgments.
CREATE TABLE account (
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    name     TEXT NOT NULL UNIQUE COLLATE NOCASE,
    role     TEXT NOT NULL CHECK (role IN ('organiser', 'assessor')),
    -- Applicants see sample work only; who has left cannot come in any more.
    standing TEXT NOT NULL CHECK (standing IN ('applicant', 'active', 'left')),
    -- A password by argon2, in the form that begins with $argon2id$.
    password TEXT NOT NULL,
    made_at  INTEGER NOT NULL
) STRICT;

-- Links by which accounts are made; only the checksum of what stands in a link is kept.
CREATE TABLE invitation (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    token      TEXT NOT NULL UNIQUE,
    -- What the organiser calls whom the link is for, such as an address.
    recipient  TEXT NOT NULL,
    role       TEXT NOT NULL CHECK (role IN ('organiser', 'assessor')),
    standing   TEXT NOT NULL CHECK (standing IN ('applicant', 'active')),
    -- A link for a new password of an account that is there.
    resets     INTEGER REFERENCES account (number),
    made_by    TEXT NOT NULL,
    made_at    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- When it was used or withdrawn, and by whom it was used.
    ended_at   INTEGER,
    used_by    INTEGER REFERENCES account (number)
) STRICT;

-- Who is in; only the checksum of a session's secret is kept.
CREATE TABLE session (
    token      TEXT PRIMARY KEY,
    account    INTEGER NOT NULL REFERENCES account (number),
    made_at    INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_of ON session (account);

-- Items of a topic that one person judges.
CREATE TABLE batch (
    number    INTEGER PRIMARY KEY AUTOINCREMENT,
    asks      TEXT NOT NULL CHECK (asks IN ('grades', 'flags')),
    kind      TEXT NOT NULL CHECK (kind IN ('answers', 'formulas')),
    topic_set TEXT NOT NULL,
    topic     TEXT NOT NULL,
    stage     TEXT NOT NULL,
    -- Where several people judge the same, each has a copy of their own.
    copy      INTEGER NOT NULL CHECK (copy > 0),
    -- For whom it is kept; anybody who may judge, if for nobody.
    kept_for  INTEGER REFERENCES account (number),
    -- Taken out of the queue by an organiser.
    withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1)),
    made_at   INTEGER NOT NULL
) STRICT;

-- What is shown on one page: a post, a written answer, or a formula with its instances.
CREATE TABLE task (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    batch  INTEGER NOT NULL REFERENCES batch (number),
    place  INTEGER NOT NULL,
    item   TEXT NOT NULL,
    kind   TEXT NOT NULL CHECK (kind IN ('post', 'answer', 'formula', 'instance')),
    UNIQUE (batch, item)
) STRICT;

-- What is judged on a page: the item itself, or each instance of a formula.
CREATE TABLE part (
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    task     INTEGER NOT NULL REFERENCES task (number),
    place    INTEGER NOT NULL,
    instance TEXT,
    -- The post in which the instance stands.
    post     TEXT,
    -- The grade that is known, as a judgment has it: to learn from, or hidden to see who drifts.
    gold     TEXT,
    UNIQUE (task, place)
) STRICT;

-- Who has or had a batch.
CREATE TABLE assignment (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    batch      INTEGER NOT NULL REFERENCES batch (number),
    account    INTEGER NOT NULL REFERENCES account (number),
    state      TEXT NOT NULL CHECK (state IN ('open', 'done', 'returned', 'expired')),
    made_at    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at   INTEGER
) STRICT;
-- Nobody gets what somebody else has or has done.
CREATE UNIQUE INDEX assignment_is_alone ON assignment (batch) WHERE state IN ('open', 'done');
CREATE INDEX assignment_of ON assignment (account, state);

-- To which piece of work a judgment belongs. `request` is what the browser called it, so that
-- what is sent twice counts once.
CREATE TABLE judged (
    judgment   INTEGER PRIMARY KEY REFERENCES judgment (number),
    part       INTEGER NOT NULL REFERENCES part (number),
    assignment INTEGER REFERENCES assignment (number),
    request    TEXT NOT NULL UNIQUE,
    -- The judgment that this one takes back; what was there before it, it says again.
    undoes     INTEGER UNIQUE REFERENCES judged (judgment)
) STRICT;
CREATE INDEX judged_of ON judged (part, judgment);
CREATE INDEX judged_in ON judged (assignment, judgment);
CREATE TRIGGER judged_is_never_changed BEFORE UPDATE ON judged
BEGIN SELECT RAISE (ABORT, 'judgments are never changed, only added'); END;
CREATE TRIGGER judged_is_never_removed BEFORE DELETE ON judged
BEGIN SELECT RAISE (ABORT, 'judgments are never removed, only added'); END;

-- The same for what was asked afterwards.
CREATE TABLE flagged (
    flag       INTEGER PRIMARY KEY REFERENCES flag (number),
    part       INTEGER NOT NULL REFERENCES part (number),
    assignment INTEGER REFERENCES assignment (number),
    request    TEXT NOT NULL UNIQUE,
    undoes     INTEGER UNIQUE REFERENCES flagged (flag)
) STRICT;
CREATE INDEX flagged_of ON flagged (part, flag);
CREATE INDEX flagged_in ON flagged (assignment, flag);

CREATE INDEX batch_of ON batch (kind, topic_set, topic);

-- What somebody put off.
CREATE TABLE skip (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    assignment INTEGER NOT NULL REFERENCES assignment (number),
    task       INTEGER NOT NULL REFERENCES task (number),
    at         INTEGER NOT NULL
) STRICT;
CREATE INDEX skip_of ON skip (assignment, task);

-- Comments that an organiser has dealt with, and what they said.
CREATE TABLE reply (
    judgment INTEGER PRIMARY KEY REFERENCES judgment (number),
    who      TEXT NOT NULL,
    at       INTEGER NOT NULL,
    text     TEXT NOT NULL
) STRICT;

-- Rounds of sample or training work whose results were shown to those who took part.
-- Those who judge answers and those who judge formulas are taught apart.
CREATE TABLE opened (
    stage TEXT NOT NULL,
    kind  TEXT NOT NULL CHECK (kind IN ('answers', 'formulas')),
    who   TEXT NOT NULL,
    at    INTEGER NOT NULL,
    PRIMARY KEY (stage, kind)
) STRICT;
