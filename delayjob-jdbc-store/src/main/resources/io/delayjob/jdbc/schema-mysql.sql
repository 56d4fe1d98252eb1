-- delayjob on MySQL 8.0.17 and later. May be applied again and again.
--
-- Times are milliseconds since the epoch, in the store's time. States: 0 DELAYED, 1 RUNNING, 2 FINISHED, 3 FAILED,
-- 4 CANCELLED. partition_id is the queue's number times 1024 plus the partition's index. Ids are UUIDs of version 7, their
-- bytes in order: HEX(id) shows one, and new rows come last. The collation tells 'a' from 'A' and from 'a '.

-- The unfinished jobs. No secondary index holds state, owner or token, so that a claim touches the primary key alone.
CREATE TABLE IF NOT EXISTS delayjob_job (
    id               BINARY(16)   NOT NULL,
    partition_id     INTEGER      NOT NULL,
    state            SMALLINT     NOT NULL,
    cancel_requested BOOLEAN      NOT NULL,
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
    PRIMARY KEY (id),
    KEY job_due (partition_id, due_at, id),
    UNIQUE KEY job_key (name, job_key)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_0900_bin;

-- The ended jobs, until retention forgets them. The payload stays with FAILED ones only: nothing else can be retried.
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
    failure_type     LONGTEXT,
    failure_message  LONGTEXT,
    failure_trace    LONGTEXT,
    PRIMARY KEY (id),
    -- For retention, and for finding the dead letters among millions that ended well.
    KEY history_ended (state, ended_at),
    -- What became of the job of a key, newest last.
    KEY history_key (name, job_key, id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_0900_bin;

-- The log of attempts, a line each; id only orders them.
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
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_0900_bin;

-- The instances that work on these tables; a number is never used again. Queues: one a line. Handlers: one a line, its names
-- between tabs. Pauses held: a fingerprint of what the instance knows to be paused.
CREATE TABLE IF NOT EXISTS delayjob_instance (
    number           BIGINT       NOT NULL AUTO_INCREMENT,
    incarnation      VARCHAR(255) NOT NULL,
    queues           LONGTEXT     NOT NULL,
    handlers         LONGTEXT     NOT NULL DEFAULT (''),
    stopping         BOOLEAN      NOT NULL,
    beats            BIGINT       NOT NULL,
    pauses_held      BIGINT       DEFAULT 0 NOT NULL,
    PRIMARY KEY (number)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_0900_bin;

-- Queue names and the small numbers that stand for them.
CREATE TABLE IF NOT EXISTS delayjob_queue (
    name             VARCHAR(40)  NOT NULL,
    number           INTEGER      NOT NULL AUTO_INCREMENT,
    PRIMARY KEY (name),
    UNIQUE KEY queue_number (number)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_0900_bin;

-- What instances are to know, read with every look at the others. Kinds: 1 a paused handler, 2 a paused queue, 3 a job that
-- somebody has asked to cancel, for the instance that runs it. Owner: whom it is for, 0 for all.
CREATE TABLE IF NOT EXISTS delayjob_notice (
    kind             SMALLINT     NOT NULL,
    name             VARCHAR(100) NOT NULL,
    owner            BIGINT       NOT NULL,
    noted_at         BIGINT       NOT NULL,
    PRIMARY KEY (kind, name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_0900_bin;

-- What tells these tables from those of other applications in the names of leases. One row, whose first column is 1; the
-- first instance writes it. A copy of a database needs an identity of its own: delete the row before the copy is used.
CREATE TABLE IF NOT EXISTS delayjob_identity (
    one              SMALLINT     NOT NULL,
    identity         VARCHAR(8)   NOT NULL,
    PRIMARY KEY (one)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_0900_bin;

-- ShedLock's own table: the leases of the partitions. DATETIME, for TIMESTAMP knows no hour that a change to summer time skips.
CREATE TABLE IF NOT EXISTS shedlock (
    name             VARCHAR(64)  NOT NULL,
    lock_until       DATETIME(3)  NOT NULL,
    locked_at        DATETIME(3)  NOT NULL,
    locked_by        VARCHAR(255) NOT NULL,
    PRIMARY KEY (name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_0900_bin;
