package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.connection.SilenceLimit;
import io.delayjob.time.EngineClock;

/** Creates the objects that do the work of a {@link JdbcJobStore}, one for each kind of call. */
final class JdbcParts {

    final JdbcInstanceStore instances;
    final Submission submission;
    final ByHand byHand;
    final ManyByHand manyByHand;
    final AnsweredRows answers;
    final JobReader reader;
    final JobCounter counter;
    final Timetable timetable;
    final DeadLetterGroups deadLetters;
    final Notices notices;
    final DuePages duePages;
    final ClaimedRows claims;
    final CompletedRows completions;
    final AtomicCompletions atomicCompletions;
    final HistoryPurge retention;
    final MinuteTable minutes;
    final JdbcGroups groups;
    final Identity identity;
    final Tables tables;
    final DialectCheck dialectCheck;
    final Transactions transactions;

    /**
     * @param heartbeatSilence how long the connection of the heartbeats may be silent
     * @param clock measures how long people wait for an answer
     */
    JdbcParts(
            Database database,
            Transactions transactions,
            SilenceLimit heartbeatSilence,
            HandlerConnections handlerConnections,
            EngineClock clock,
            long maxPayloadBytes) {
        Queues queues = new Queues(transactions, database);
        JobRows rows = new JobRows(queues, maxPayloadBytes);
        JobLocator locator = new JobLocator(database);
        Endings endings = Endings.inOwn(database);
        this.instances = new JdbcInstanceStore(transactions, database, queues, heartbeatSilence);
        this.submission = new Submission(transactions, database, queues, rows, locator);
        this.notices = new Notices(transactions, database);
        this.byHand = new ByHand(transactions, database, rows, Endings.inAny(database), notices);
        this.manyByHand = new ManyByHand(transactions, database, rows, byHand);
        this.answers = new AnsweredRows(transactions, database, queues, rows);
        this.reader = new JobReader(transactions, database, queues, rows, clock);
        this.counter = new JobCounter(transactions, database, clock);
        this.timetable = new Timetable(transactions, database, clock);
        this.deadLetters = new DeadLetterGroups(transactions, database);
        this.duePages = new DuePages(transactions, database, queues, rows);
        this.claims = new ClaimedRows(transactions, database, rows, endings, locator);
        this.completions =
                new CompletedRows(transactions, database, endings, Followers.inOwn(database, queues), locator);
        this.atomicCompletions = new AtomicCompletions(transactions, database, queues, rows, handlerConnections);
        this.retention = new HistoryPurge(transactions, database);
        this.groups = new JdbcGroups(transactions, database, queues);
        this.minutes = new MinuteTable(transactions, database);
        this.identity = new Identity(transactions, database);
        this.tables = new Tables(database);
        this.dialectCheck = new DialectCheck(database);
        this.transactions = transactions;
    }
}
