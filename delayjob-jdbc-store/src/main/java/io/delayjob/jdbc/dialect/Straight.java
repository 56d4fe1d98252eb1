package io.delayjob.jdbc.dialect;

/**
 * Transitions that write their rows at once, where the others lock them first: half the work, since a lock is written to
 * the row and to the log of the database as well. A row that somebody holds is waited for, but for milliseconds only:
 * then the transaction ends with an error, and what locks first and skips what is held has its turn. They bring settings
 * of their own and need no {@link Dialect#guard()}; plans of theirs may be kept.
 *
 * @param claim as {@link Dialect#claim()}; answers <code>{claimed_columns}</code>
 * @param claimOne the same of one job, whose values are bound one by one
 * @param finish as {@link Dialect#endJobs()}, of jobs that end as their rows are but for state, token and time: FINISHED,
 *     without a failure, and kept in the history
 * @param finishOne the same of one job, whose values are bound one by one
 * @param forget the same of jobs that are not kept, and have no attempt on record
 * @param forgetOne the same of one job, whose values are bound one by one
 */
public record Straight(
        Script claim, Script claimOne, Script finish, Script finishOne, Script forget, Script forgetOne) {}
