-- delayjob on PostgreSQL 13 and later. May be applied again and again.
--
-- Times are milliseconds since the epoch, in the store's time. States: 0 DELAYED, 1 RUNNING, 2 FINISHED, 3 FAILED,
-- 4 CANCELLED. partition_id is the queue's number times 1024 plus the partition's index.

-- The unfinished jobs. No index holds state, owner or token, so that a claim touches the heap alone (HOT); the space that
-- the fill factor leaves takes the claimed versions of the rows. Jobs of one time lie side by side and are claimed together: with
-- 90, many of a backlog's claims found no room and wrote every index anew. Many jobs at once leave to the defaults what is alike in all new ones.
CREATE TABLE IF NOT EXISTS delayjob_job (
    id               UUID         NOT NULL,
    partition_id     INTEGER      NOT NULL,
    state            SMALLINT     NOT NULL DEFAULT 0,
    cancel_requested BOOLEAN      NOT NULL DEFAULT FALSE,
    token            BIGINT       NOT NULL,
    due_at           BIGINT       NOT NULL,
    planned_at       BIGINT       NOT NULL,
    scheduled_at     BIGINT       NOT NULL,
    started_at       BIGINT,
    owner            BIGINT       NOT NULL DEFAULT 0,
    run              INTEGER      NOT NULL DEFAULT 1,
    attempt          INTEGER      NOT NULL DEFAULT 0,
    failures         INTEGER      NOT NULL DEFAULT 0,
    rescues          INTEGER      NOT NULL DEFAULT 0,
    in_doubt         INTEGER      NOT NULL DEFAULT 0,
    name             VARCHAR(100) NOT NULL,
    job_key          VARCHAR(200),
    payload          TEXT,
    schedule         TEXT,
    retry            TEXT,
    trace            TEXT,
    CONSTRAINT delayjob_job_pk PRIMARY KEY (id)
) WITH (fillfactor = 70);

-- No two entries are alike: the server need not look for such whenever a page is full.
CREATE INDEX IF NOT EXISTS delayjob_job_due ON delayjob_job (partition_id, due_at, id) WITH (deduplicate_items = off);

-- Partial: jobs without a key do not pay for it.
CREATE UNIQUE INDEX IF NOT EXISTS delayjob_job_key ON delayjob_job (name, job_key) WHERE job_key IS NOT NULL;

-- The ended jobs, until retention forgets them. The payload stays with FAILED ones only: nothing else can be retried.
CREATE TABLE IF NOT EXISTS delayjob_history (
    id               UUID         NOT NULL,
    partition_id     INTEGER      NOT NULL,
    state            SMALLINT     NOT NULL,
    cancel_requested BOOLEAN      NOT NULL,
    token            BIGINT       NOT NULL,
    due_at           BIGINT       NOT NULL,
    planned_at       BIGINT       NOT NULL,
    scheduled_at     BIGINT       NOT NULL,
    started_at       BIGINT,
    called_at        BIGINT,
    ended_at         BIGINT       NOT NULL,
    run              INTEGER      NOT NULL,
    attempt          INTEGER      NOT NULL,
    failures         INTEGER      NOT NULL,
    rescues          INTEGER      NOT NULL,
    in_doubt         INTEGER      NOT NULL,
    name             VARCHAR(100) NOT NULL,
    job_key          VARCHAR(200),
    payload          TEXT,
    schedule         TEXT,
    retry            TEXT,
    trace            TEXT,
    failure_type     TEXT,
    failure_message  TEXT,
    failure_trace    TEXT,
    CONSTRAINT delayjob_history_pk PRIMARY KEY (id)
);

-- For retention, and for finding the dead letters among millions that ended well. A B-tree costs half a microsecond a row
-- more than BRIN, which is worth nothing any more once new rows have taken the space of those that retention deleted.
CREATE INDEX IF NOT EXISTS delayjob_history_ended ON delayjob_history (state, ended_at);

-- The dead letters by their kind. Partial: jobs that do not fail do not pay for it.
CREATE INDEX IF NOT EXISTS delayjob_history_failed ON delayjob_history (ended_at, name, failure_type) WHERE state = 3;

-- What became of the job of a key, newest last. Partial: jobs without a key do not pay for it.
CREATE INDEX IF NOT EXISTS delayjob_history_key ON delayjob_history (name, job_key, id) WHERE job_key IS NOT NULL;

-- The log of attempts, a line each; id only orders them.
CREATE TABLE IF NOT EXISTS delayjob_attempt (
    job_id           UUID         NOT NULL,
    id               BIGINT       GENERATED ALWAYS AS IDENTITY,
    run              INTEGER      NOT NULL,
    attempt          INTEGER      NOT NULL,
    outcome          VARCHAR(40)  NOT NULL,
    owner            BIGINT       NOT NULL,
    due_at           BIGINT,
    started_at       BIGINT,
    called_at        BIGINT,
    ended_at         BIGINT       NOT NULL,
    failure_type     TEXT,
    failure_message  TEXT,
    failure_trace    TEXT,
    CONSTRAINT delayjob_attempt_pk PRIMARY KEY (job_id, id)
);

-- The instances that work on these tables; a number is never used again. Queues: one a line. Handlers: one a line, its names
-- between tabs. Pauses held: a fingerprint of what the instance knows to be paused.
CREATE TABLE IF NOT EXISTS delayjob_instance (
    number           BIGINT       GENERATED ALWAYS AS IDENTITY,
    incarnation      VARCHAR(255) NOT NULL,
    queues           TEXT         NOT NULL,
    handlers         TEXT         NOT NULL DEFAULT '',
    stopping         BOOLEAN      NOT NULL,
    beats            BIGINT       NOT NULL,
    pauses_held      BIGINT       DEFAULT 0 NOT NULL,
    CONSTRAINT delayjob_instance_pk PRIMARY KEY (number)
) WITH (fillfactor = 50);

-- Queue names and the small numbers that stand for them.
CREATE TABLE IF NOT EXISTS delayjob_queue (
    name             VARCHAR(40)  NOT NULL,
    number           INTEGER      GENERATED ALWAYS AS IDENTITY,
    CONSTRAINT delayjob_queue_pk PRIMARY KEY (name),
    CONSTRAINT delayjob_queue_number UNIQUE (number)
);

-- What instances are to know, read with every look at the others. Kinds: 1 a paused handler, 2 a paused queue, 3 a job that
-- somebody has asked to cancel, for the instance that runs it. Owner: whom it is for, 0 for all.
CREATE TABLE IF NOT EXISTS delayjob_notice (
    kind             SMALLINT     NOT NULL,
    name             VARCHAR(100) NOT NULL,
    owner            BIGINT       NOT NULL,
    noted_at         BIGINT       NOT NULL,
    CONSTRAINT delayjob_notice_pk PRIMARY KEY (kind, name)
);

-- What tells these tables from those of other applications in the names of leases. One row, whose first column is 1; the
-- first instance writes it. A copy of a database needs an identity of its own: delete the row before the copy is used.
CREATE TABLE IF NOT EXISTS delayjob_identity (
    one              SMALLINT     NOT NULL,
    identity         VARCHAR(8)   NOT NULL,
    CONSTRAINT delayjob_identity_pk PRIMARY KEY (one)
);

-- ShedLock's own table: the leases of the partitions.
CREATE TABLE IF NOT EXISTS shedlock (
    name             VARCHAR(64)  NOT NULL,
    lock_until       TIMESTAMP(3) NOT NULL,
    locked_at        TIMESTAMP(3) NOT NULL,
    locked_by        VARCHAR(255) NOT NULL,
    PRIMARY KEY (name)
);
