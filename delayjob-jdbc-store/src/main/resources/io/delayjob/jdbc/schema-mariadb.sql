-- delayjob on MariaDB 10.6 and later. May be applied repeatedly.
--
-- Times are milliseconds since the epoch, by the store's clock. States: 0 DELAYED, 1 RUNNING, 2 FINISHED, 3 FAILED,
-- 4 CANCELLED. partition_id is the queue's number times 1024 plus the partition's index. Ids are UUIDs of version 7, their
-- bytes in order: HEX(id) shows one, and new rows come last. The collation tells 'a' from 'A' and from 'a '.

-- The unfinished jobs. No secondary index holds state, owner or token, so a claim changes only the primary key.
CREATE TABLE IF NOT EXISTS delayjob_job (
    id               BINARY(16)   NOT NULL,
    partition_id     INTEGER      NOT NULL,
    state            SMALLINT     NOT NULL,
    cancel_requested BOOLEAN      NOT NULL,
    awaiting         BOOLEAN      NOT NULL DEFAULT FALSE,
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
    payload          LONGTEXT,
    schedule         LONGTEXT,
    retry            LONGTEXT,
    trace            LONGTEXT,
    extras           LONGTEXT,
    PRIMARY KEY (id),
    KEY job_due (partition_id, due_at, id),
    UNIQUE KEY job_key (name, job_key)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- The ended jobs, until retention deletes them. Only FAILED jobs keep their payload, because no other jobs can be retried.
CREATE TABLE IF NOT EXISTS delayjob_history (
    id               BINARY(16)   NOT NULL,
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
    payload          LONGTEXT,
    schedule         LONGTEXT,
    retry            LONGTEXT,
    trace            LONGTEXT,
    extras           LONGTEXT,
    failure_type     LONGTEXT,
    failure_message  LONGTEXT,
    failure_trace    LONGTEXT,
    keep_seconds     INTEGER      NOT NULL DEFAULT 0,
    PRIMARY KEY (id),
    -- For retention, and to find the dead letters. Jobs that are kept longer lie apart, so retention passes over none
    -- of them. keep_seconds: how long the handler keeps a finished job, 0 for the general time.
    KEY history_end (state, keep_seconds, ended_at),
    -- The ended jobs of a key, newest last.
    KEY history_key (name, job_key, id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- The attempt log. The id only keeps the order.
CREATE TABLE IF NOT EXISTS delayjob_attempt (
    id               BIGINT       NOT NULL AUTO_INCREMENT,
    job_id           BINARY(16)   NOT NULL,
    run              INTEGER      NOT NULL,
    attempt          INTEGER      NOT NULL,
    outcome          VARCHAR(40)  NOT NULL,
    owner            BIGINT       NOT NULL,
    due_at           BIGINT,
    started_at       BIGINT,
    called_at        BIGINT,
    ended_at         BIGINT       NOT NULL,
    failure_type     LONGTEXT,
    failure_message  LONGTEXT,
    failure_trace    LONGTEXT,
    PRIMARY KEY (id),
    KEY attempt_job (job_id, id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- The instances. A number is never used again. queues: one per line. handlers: one per line, with names separated by
-- tabs. pauses_held: a fingerprint of the pauses that the instance has read. vitals: values of the last heartbeat, for
-- display.
CREATE TABLE IF NOT EXISTS delayjob_instance (
    number           BIGINT       NOT NULL AUTO_INCREMENT,
    incarnation      VARCHAR(255) NOT NULL,
    queues           LONGTEXT     NOT NULL,
    handlers         LONGTEXT     NOT NULL DEFAULT (''),
    stopping         BOOLEAN      NOT NULL,
    beats            BIGINT       NOT NULL,
    pauses_held      BIGINT       DEFAULT 0 NOT NULL,
    vitals           TEXT,
    PRIMARY KEY (number)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- The queues and their numbers.
CREATE TABLE IF NOT EXISTS delayjob_queue (
    name             VARCHAR(40)  NOT NULL,
    number           INTEGER      NOT NULL AUTO_INCREMENT,
    PRIMARY KEY (name),
    UNIQUE KEY queue_number (number)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- Notices to instances. Kinds: 1 a paused handler, 2 a paused queue, 3 a request to cancel a job. Owner: number of the
-- instance that the notice is for, 0 for all.
CREATE TABLE IF NOT EXISTS delayjob_notice (
    kind             SMALLINT     NOT NULL,
    name             VARCHAR(100) NOT NULL,
    owner            BIGINT       NOT NULL,
    noted_at         BIGINT       NOT NULL,
    noted_by         VARCHAR(255),
    reason           VARCHAR(500),
    PRIMARY KEY (kind, name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- The identity of these tables, in one row. In the names of leases, it distinguishes these tables from others. A copy
-- of a database needs its own identity: delete the row before its use.
CREATE TABLE IF NOT EXISTS delayjob_identity (
    one              SMALLINT     NOT NULL,
    identity         VARCHAR(8)   NOT NULL,
    PRIMARY KEY (one)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

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
    PRIMARY KEY (minute_at, owner, name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- The groups of jobs. States: 0 OPEN, 1 CLOSED, 2 ENDED, 3 CANCELLED. The rows of delayjob_group_change are not yet
-- included in the numbers. when_all_ended and when_any_fails: jobs that wait for the group.
CREATE TABLE IF NOT EXISTS delayjob_group (
    id               BINARY(16)   NOT NULL,
    name             VARCHAR(100) NOT NULL,
    state            SMALLINT     NOT NULL,
    created_at       BIGINT       NOT NULL,
    ended_at         BIGINT,
    begun            BIGINT       NOT NULL,
    finished         BIGINT       NOT NULL,
    failed           BIGINT       NOT NULL,
    cancelled        BIGINT       NOT NULL,
    when_all_ended   LONGTEXT,
    when_any_fails   LONGTEXT,
    PRIMARY KEY (id),
    UNIQUE KEY group_name (name),
    KEY group_ended (ended_at, created_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- Counts of members that have begun or ended, one row for each transaction and group. Twice a second, an instance adds
-- the rows to their groups and deletes them.
CREATE TABLE IF NOT EXISTS delayjob_group_change (
    id               BIGINT       NOT NULL AUTO_INCREMENT,
    group_id         BINARY(16)   NOT NULL,
    begun            BIGINT       NOT NULL,
    finished         BIGINT       NOT NULL,
    failed           BIGINT       NOT NULL,
    cancelled        BIGINT       NOT NULL,
    PRIMARY KEY (id),
    KEY group_change_group (group_id, id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- ShedLock's own table: the leases. DATETIME, because TIMESTAMP lacks the hour that summer time skips.
CREATE TABLE IF NOT EXISTS shedlock (
    name             VARCHAR(64)  NOT NULL,
    lock_until       DATETIME(3)  NOT NULL,
    locked_at        DATETIME(3)  NOT NULL,
    locked_by        VARCHAR(255) NOT NULL,
    PRIMARY KEY (name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_nopad_bin;
