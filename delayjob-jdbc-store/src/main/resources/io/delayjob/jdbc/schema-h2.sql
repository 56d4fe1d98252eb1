-- delayjob on H2 2.2 and later: for one instance, not for several. May be applied repeatedly.
--
-- Times are milliseconds since the epoch, by the store's clock. States: 0 DELAYED, 1 RUNNING, 2 FINISHED, 3 FAILED,
-- 4 CANCELLED. partition_id is the queue's number times 1024 plus the partition's index.

-- The unfinished jobs.
CREATE TABLE IF NOT EXISTS delayjob_job (
    id               UUID         NOT NULL,
    partition_id     INTEGER      NOT NULL,
    state            SMALLINT     NOT NULL,
    cancel_requested BOOLEAN      NOT NULL,
    awaiting         BOOLEAN      DEFAULT FALSE NOT NULL,
    token            BIGINT       NOT NULL,
    due_at           BIGINT       NOT NULL,
    planned_at       BIGINT       NOT NULL,
    scheduled_at     BIGINT       NOT NULL,
    started_at       BIGINT,
    owner            BIGINT       NOT NULL,
    run              INTEGER      NOT NULL,
    attempt          INTEGER      NOT NULL,
    failures         INTEGER      NOT NULL,
    rescues          INTEGER      NOT NULL,
    in_doubt         INTEGER      NOT NULL,
    name             VARCHAR(100) NOT NULL,
    job_key          VARCHAR(200),
    payload          CHARACTER VARYING,
    schedule         CHARACTER VARYING,
    retry            CHARACTER VARYING,
    trace            CHARACTER VARYING,
    extras           CHARACTER VARYING,
    CONSTRAINT delayjob_job_pk PRIMARY KEY (id)
);

CREATE INDEX IF NOT EXISTS delayjob_job_due ON delayjob_job (partition_id, due_at, id);

CREATE UNIQUE INDEX IF NOT EXISTS delayjob_job_key ON delayjob_job (name, job_key);

-- The ended jobs, until retention deletes them. Only FAILED jobs keep their payload, because no other jobs can be retried.
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
    payload          CHARACTER VARYING,
    schedule         CHARACTER VARYING,
    retry            CHARACTER VARYING,
    trace            CHARACTER VARYING,
    extras           CHARACTER VARYING,
    failure_type     CHARACTER VARYING,
    failure_message  CHARACTER VARYING,
    failure_trace    CHARACTER VARYING,
    keep_seconds     INTEGER      DEFAULT 0 NOT NULL,
    CONSTRAINT delayjob_history_pk PRIMARY KEY (id)
);

-- For retention, and to find the dead letters. Jobs that are kept longer lie apart, so retention passes over none of
-- them. keep_seconds: how long the handler keeps a finished job, 0 for the general time.
CREATE INDEX IF NOT EXISTS delayjob_history_end ON delayjob_history (state, keep_seconds, ended_at, id);

-- The ended jobs of a key, newest last.
CREATE INDEX IF NOT EXISTS delayjob_history_key ON delayjob_history (name, job_key, id);

-- The attempt log. The id only keeps the order.
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
    failure_type     CHARACTER VARYING,
    failure_message  CHARACTER VARYING,
    failure_trace    CHARACTER VARYING,
    CONSTRAINT delayjob_attempt_pk PRIMARY KEY (job_id, id)
);

-- The instances. A number is never used again. queues: one per line. handlers: one per line, with names separated by
-- tabs. pauses_held: a fingerprint of the pauses that the instance has read. vitals: values of the last heartbeat, for
-- display.
CREATE TABLE IF NOT EXISTS delayjob_instance (
    number           BIGINT       GENERATED ALWAYS AS IDENTITY,
    incarnation      VARCHAR(255) NOT NULL,
    queues           CHARACTER VARYING NOT NULL,
    handlers         CHARACTER VARYING DEFAULT '' NOT NULL,
    stopping         BOOLEAN      NOT NULL,
    beats            BIGINT       NOT NULL,
    pauses_held      BIGINT       DEFAULT 0 NOT NULL,
    vitals           CHARACTER VARYING,
    CONSTRAINT delayjob_instance_pk PRIMARY KEY (number)
);

-- The queues and their numbers.
CREATE TABLE IF NOT EXISTS delayjob_queue (
    name             VARCHAR(40)  NOT NULL,
    number           INTEGER      GENERATED ALWAYS AS IDENTITY,
    CONSTRAINT delayjob_queue_pk PRIMARY KEY (name),
    CONSTRAINT delayjob_queue_number UNIQUE (number)
);

-- Notices to instances. Kinds: 1 a paused handler, 2 a paused queue, 3 a request to cancel a job. Owner: number of the
-- instance that the notice is for, 0 for all.
CREATE TABLE IF NOT EXISTS delayjob_notice (
    kind             SMALLINT     NOT NULL,
    name             VARCHAR(100) NOT NULL,
    owner            BIGINT       NOT NULL,
    noted_at         BIGINT       NOT NULL,
    noted_by         VARCHAR(255),
    reason           VARCHAR(500),
    CONSTRAINT delayjob_notice_pk PRIMARY KEY (kind, name)
);

-- The identity of these tables, in one row. In the names of leases, it distinguishes these tables from others. A copy
-- of a database needs its own identity: delete the row before its use.
CREATE TABLE IF NOT EXISTS delayjob_identity (
    one              SMALLINT     NOT NULL,
    identity         VARCHAR(8)   NOT NULL,
    CONSTRAINT delayjob_identity_pk PRIMARY KEY (one)
);

-- The statistics of each minute, by instance and handler. The empty name stands for all further handlers. The late
-- columns count the starts that were at most 1, 2, 5, 10, 20, 50, 100, 200, 500 ms, 1, 5, 10 s, 1 min late, or later.
-- Rows of owner 0 hold the sums of all instances over the hour that begins with that minute.
CREATE TABLE IF NOT EXISTS delayjob_minute (
    minute_at        BIGINT       NOT NULL,
    owner            BIGINT       NOT NULL,
    name             VARCHAR(100) NOT NULL,
    starts           INTEGER      NOT NULL,
    succeeded        INTEGER      NOT NULL,
    retried          INTEGER      NOT NULL,
    failed           INTEGER      NOT NULL,
    run_micros       BIGINT       NOT NULL,
    late_a           INTEGER      NOT NULL,
    late_b           INTEGER      NOT NULL,
    late_c           INTEGER      NOT NULL,
    late_d           INTEGER      NOT NULL,
    late_e           INTEGER      NOT NULL,
    late_f           INTEGER      NOT NULL,
    late_g           INTEGER      NOT NULL,
    late_h           INTEGER      NOT NULL,
    late_i           INTEGER      NOT NULL,
    late_j           INTEGER      NOT NULL,
    late_k           INTEGER      NOT NULL,
    late_l           INTEGER      NOT NULL,
    late_m           INTEGER      NOT NULL,
    late_n           INTEGER      NOT NULL,
    CONSTRAINT delayjob_minute_pk PRIMARY KEY (minute_at, owner, name)
);

-- The groups of jobs. States: 0 OPEN, 1 CLOSED, 2 ENDED, 3 CANCELLED. The rows of delayjob_group_change are not yet
-- included in the numbers. when_all_ended and when_any_fails: jobs that wait for the group.
CREATE TABLE IF NOT EXISTS delayjob_group (
    id               UUID         NOT NULL,
    name             VARCHAR(100) NOT NULL,
    state            SMALLINT     NOT NULL,
    created_at       BIGINT       NOT NULL,
    ended_at         BIGINT,
    begun            BIGINT       NOT NULL,
    finished         BIGINT       NOT NULL,
    failed           BIGINT       NOT NULL,
    cancelled        BIGINT       NOT NULL,
    when_all_ended   CHARACTER VARYING,
    when_any_fails   CHARACTER VARYING,
    CONSTRAINT delayjob_group_pk PRIMARY KEY (id),
    CONSTRAINT delayjob_group_name UNIQUE (name)
);

-- For the lists of groups, and for retention.
CREATE INDEX IF NOT EXISTS delayjob_group_ended ON delayjob_group (ended_at, created_at);

-- Counts of members that have begun or ended, one row for each transaction and group. Twice a second, an instance adds
-- the rows to their groups and deletes them.
CREATE TABLE IF NOT EXISTS delayjob_group_change (
    group_id         UUID         NOT NULL,
    id               BIGINT       GENERATED ALWAYS AS IDENTITY,
    begun            BIGINT       NOT NULL,
    finished         BIGINT       NOT NULL,
    failed           BIGINT       NOT NULL,
    cancelled        BIGINT       NOT NULL,
    CONSTRAINT delayjob_group_change_pk PRIMARY KEY (group_id, id)
);

-- ShedLock's own table: the leases of the partitions.
CREATE TABLE IF NOT EXISTS shedlock (
    name             VARCHAR(64)  NOT NULL,
    lock_until       TIMESTAMP(3) NOT NULL,
    locked_at        TIMESTAMP(3) NOT NULL,
    locked_by        VARCHAR(255) NOT NULL,
    PRIMARY KEY (name)
);
