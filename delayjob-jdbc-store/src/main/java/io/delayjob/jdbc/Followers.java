package io.delayjob.jdbc;

import io.delayjob.job.Completion;
import io.delayjob.job.JobId;
import io.delayjob.job.NewJob;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Writes the rows of followers, the next jobs of chains, in the transaction that ends the jobs before them. So both
 * changes are committed, or neither is. If a row with the follower's id exists, because a caller has used the id of a
 * chain's first job again, that row stays as it is. The follower of a member of a group is a member, too. If no job has
 * a follower, no statement runs. Thread-safe.
 */
final class Followers {

    private final Database database;
    private final Queues queues;
    private final NewJobParameters parameters;
    private final Database.Steps insert;
    private final GroupMembers members;

    private Followers(Database database, Queues queues, Database.Steps insert) {
        this.database = database;
        this.queues = queues;
        this.parameters = new NewJobParameters(queues);
        this.insert = insert;
        this.members = new GroupMembers(database);
    }

    /** Makes a writer for any transaction, including the caller's. */
    static Followers inAny(Database database, Queues queues) {
        return new Followers(
                database, queues, database.steps(database.dialect().submission().insertFollowers()));
    }

    /** Makes a writer for the store's own transactions only. */
    static Followers inOwn(Database database, Queues queues) {
        return new Followers(
                database,
                queues,
                database.ownSteps(database.dialect().submission().insertFollowers()));
    }

    /**
     * Reads the numbers of the followers' queues into the cache. Call this method before the transaction, so that the
     * transaction needs no second connection.
     */
    void prepare(Collection<Completion> ends) {
        of(ends).forEach(follower -> queues.numberOf(follower.partition().queue()));
    }

    /** @param written outcomes that this transaction has just written, with the states that they name */
    void write(Collection<Completion> written) {
        List<NewJob> followers = of(written);
        if (!followers.isEmpty()) {
            List<JobId> inserted = database.run(insert, parameters.of(followers), JobRows::id);
            members.begin(followers, Set.copyOf(inserted));
        }
    }

    private static List<NewJob> of(Collection<Completion> ends) {
        return ends.stream()
                .map(Completion::follower)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparing(NewJob::id))
                .toList();
    }
}
