package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.ReadSql;
import io.delayjob.job.JobId;
import io.delayjob.store.FailureGroup;
import io.delayjob.store.FailureGroups;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Groups dead letters by handler and type of failure, for display. Thread-safe. */
final class DeadLetterGroups {

    private static final String DOING = "grouping dead letters";

    private record Kind(String name, String errorType) {}

    private record Part(Kind kind, int bucket, long jobs, long first, long last) {}

    private record Newest(JobId id, @Nullable String message) {}

    private static final class Sum {
        private final long[] buckets;
        private long jobs;
        private long first = Long.MAX_VALUE;
        private long last = Long.MIN_VALUE;

        Sum(int buckets) {
            this.buckets = new long[buckets];
        }

        void add(Part part) {
            buckets[Math.min(part.bucket, buckets.length - 1)] += part.jobs;
            jobs += part.jobs;
            first = Math.min(first, part.first);
            last = Math.max(last, part.last);
        }
    }

    private final Transactions transactions;
    private final PeoplesReads reads;
    private final int limit;
    private final Sql group;
    private final Sql newest;

    DeadLetterGroups(Transactions transactions, Database database) {
        ReadSql sql = database.dialect().reads();
        this.transactions = transactions;
        this.reads = new PeoplesReads(database);
        this.limit = sql.failuresToGroup();
        this.group = database.sql(sql.alongTheIndex() + sql.groupFailures());
        this.newest = database.sql(sql.alongTheIndex() + sql.newestFailure());
    }

    FailureGroups failures(FailureGroups.Span span) {
        return transactions.own(DOING, () -> {
            Map<Kind, Sum> sums = new HashMap<>();
            long looked = 0;
            for (Part part : parts(span)) {
                sums.computeIfAbsent(part.kind, kind -> new Sum(span.buckets())).add(part);
                looked += part.jobs;
            }
            List<FailureGroup> groups = sums.entrySet().stream()
                    .sorted(Comparator.comparingLong((Map.Entry<Kind, Sum> each) -> each.getValue().jobs)
                            .reversed())
                    .limit(FailureGroups.MAX_GROUPS)
                    .map(each -> groupOf(each.getKey(), each.getValue()))
                    .flatMap(Optional::stream)
                    .toList();
            return new FailureGroups(groups, (int) looked, looked < limit);
        });
    }

    private List<Part> parts(FailureGroups.Span span) {
        Parameters parameters = Parameters.none()
                .set("since", span.since().toEpochMilli())
                .set("until", span.until().toEpochMilli())
                .set("width", span.widthMillis())
                .set("limit", limit);
        return reads.query(
                DOING,
                group,
                parameters,
                row -> new Part(
                        new Kind(row.getString(1), row.getString(2)),
                        row.getInt(3),
                        row.getLong(4),
                        row.getLong(5),
                        row.getLong(6)));
    }

    /** Empty if the newest job of the group has been retried meanwhile. */
    private Optional<FailureGroup> groupOf(Kind kind, Sum sum) {
        Parameters parameters = Parameters.none()
                .set("endedAt", sum.last)
                .set("name", kind.name)
                .set("error", kind.errorType);
        return reads.query(DOING, newest, parameters, row -> new Newest(JobRows.id(row), row.getString(2))).stream()
                .map(found -> new FailureGroup(
                        kind.name,
                        kind.errorType,
                        sum.jobs,
                        Instant.ofEpochMilli(sum.first),
                        Instant.ofEpochMilli(sum.last),
                        LongStream.of(sum.buckets).boxed().toList(),
                        found.id,
                        found.message))
                .findFirst();
    }
}
