package io.delayjob.jdbc;

import io.delayjob.job.Partition;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Maps the names of queues to their numbers. The cache is safe, because the number of a queue never changes.
 * Thread-safe.
 */
final class Queues {

    private static final Logger log = LoggerFactory.getLogger(Queues.class);

    private record Row(String name, int number) {}

    private static final int MAX_NUMBER = Integer.MAX_VALUE / Partition.MAX_PER_QUEUE;

    private final Transactions transactions;
    private final Database database;
    private final Sql insert;
    private final Sql list;
    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();
    private final Map<Integer, String> names = new ConcurrentHashMap<>();

    /** The keys of this map are numbers of partitions, not of queues. */
    private final Map<Integer, Partition> partitions = new ConcurrentHashMap<>();

    private final Set<Integer> saidToBeLost = ConcurrentHashMap.newKeySet();

    Queues(Transactions transactions, Database database) {
        this.transactions = transactions;
        this.database = database;
        this.insert = database.sql(database.dialect().register().insertQueue());
        this.list = database.sql(database.dialect().register().listQueues());
    }

    int idOf(Partition partition) {
        return fold(numberOf(partition.queue()), partition.index());
    }

    /** Empty if the queue has no number yet. Such a queue has no rows. */
    OptionalInt find(Partition partition) {
        Integer number = numbers.get(partition.queue());
        if (number == null) {
            transactions.outside("reading the queues", this::load);
            number = numbers.get(partition.queue());
        }
        return number == null ? OptionalInt.empty() : OptionalInt.of(fold(number, partition.index()));
    }

    /** If the caller's transaction shows an old state, another connection reads the number. */
    Partition partition(int id) {
        Partition known = partitions.get(id);
        return known != null
                ? known
                : findPartition(id)
                        .orElseThrow(() -> new IllegalStateException(
                                "Unknown queue number %d in the job tables: the queue table has lost the row of that number."
                                        .formatted(number(id))));
    }

    /** Empty if the queue table has lost the row. The loss is logged once. */
    Optional<Partition> partitionUnlessLost(int id) {
        Optional<Partition> found = findPartition(id);
        if (found.isEmpty() && saidToBeLost.add(number(id))) {
            log.warn(
                    "The row of queue number {} is missing from the queue table, so the unfinished jobs of this queue "
                            + "wait. Insert the row again. The section 'A lost queue' in docs/databases.md says how.",
                    number(id));
        }
        return found;
    }

    private Optional<Partition> findPartition(int id) {
        int number = number(id);
        String name = names.get(number);
        if (name == null) {
            load();
            name = names.get(number);
        }
        if (name == null) {
            transactions.outside("reading the queues", this::load);
            name = names.get(number);
        }
        return Optional.ofNullable(name)
                .map(queue ->
                        partitions.computeIfAbsent(id, known -> new Partition(queue, known % Partition.MAX_PER_QUEUE)));
    }

    private static int number(int id) {
        return id / Partition.MAX_PER_QUEUE;
    }

    /** Whether {@link #numberOf} needs no connection. */
    boolean isKnown(String queue) {
        return numbers.containsKey(queue);
    }

    /** Uses a separate transaction, because a rollback of the caller's transaction would make the cache wrong. */
    int numberOf(String queue) {
        Integer known = numbers.get(queue);
        if (known != null) {
            return known;
        }
        if (transactions.outside("reading the queues", () -> load(queue)) == null) {
            enter(queue);
        }
        Integer entered = transactions.outside("reading the queues", () -> load(queue));
        if (entered == null) {
            throw new IllegalStateException(
                    "The row of queue '%s' was deleted just after it was written: check who changes the queue table."
                            .formatted(queue));
        }
        return entered;
    }

    private void enter(String queue) {
        transactions.own("giving a number to queue '%s'".formatted(queue), () -> {
            try {
                return database.update(insert, Parameters.none().set("name", queue));
            } catch (DataIntegrityViolationException enteredByAnother) {
                return 0;
            }
        });
    }

    private @Nullable Integer load(String queue) {
        load();
        return numbers.get(queue);
    }

    private int load() {
        for (Row row : database.query(list, Parameters.none(), found -> new Row(found.getString(1), found.getInt(2)))) {
            names.put(row.number(), row.name());
            numbers.put(row.name(), row.number());
        }
        return numbers.size();
    }

    private static int fold(int number, int index) {
        if (number > MAX_NUMBER) {
            throw new IllegalStateException(
                    "Invalid queue number %d: the tables hold at most %d queues; use fewer queues."
                            .formatted(number, MAX_NUMBER));
        }
        return number * Partition.MAX_PER_QUEUE + index;
    }
}
