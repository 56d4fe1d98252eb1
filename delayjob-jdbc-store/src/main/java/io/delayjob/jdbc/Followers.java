package io.delayjob.jdbc;

import io.delayjob.job.Completion;
import io.delayjob.job.JobId;
import io.delayjob.job.NewJob;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Writes the next jobs of chains, in the transaction that ends the previous jobs. Thread-safe. */
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

    static Followers inAny(Database database, Queues queues) {
        return new Followers(
                database, queues, database.steps(database.dialect().submission().insertFollowers()));
    }

    static Followers inOwn(Database database, Queues queues) {
        return new Followers(
                database,
                queues,
                database.ownSteps(database.dialect().submission().insertFollowers()));
    }

    /**
     * Must be called before the transaction begins, because the transaction would otherwise need a second connection.
     */
    void prepare(Collection<Completion> ends) {
        of(ends).forEach(follower -> queues.numberOf(follower.partition().queue()));
    }

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
