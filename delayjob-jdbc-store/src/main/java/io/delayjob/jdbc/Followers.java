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
 * changes are committed, or neither is. If a row has the follower's id already, it stays as it is. That happens when
 * the id of a chain's first job is used again. The
 * follower of a group's member is a member, too. If no job has a follower, it runs no statement. Thread-safe.
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
     * Looks up the numbers of the followers' queues, because another instance may have given these numbers. Called
     * before the transaction, so that the transaction needs no second connection.
     */
    void prepare(Collection<Completion> ends) {
        of(ends).forEach(follower -> queues.numberOf(follower.partition().queue()));
    }

    /** @param written ends that this transaction has just written, in the state that they name */
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
