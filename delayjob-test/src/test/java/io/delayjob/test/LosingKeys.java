package io.delayjob.test;

import io.delayjob.job.ChangeResult;
import io.delayjob.job.ClaimKeys;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobMove;
import io.delayjob.job.NewJob;
import io.delayjob.job.Scheduled;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.DuePage;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobStore;
import io.delayjob.store.PartitionCursor;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A store that drops or confuses the keys of jobs at one place. */
final class LosingKeys extends ForwardingStore {

    /** The method of the store that makes the error. */
    enum Place {
        SUBMIT,
        SUBMIT_HANDS_OVER,
        DUE_AFTER,
        OVERDUE,
        CLAIM,
        CLAIMED_BY_OTHERS,
        RESCUE,
        RESCHEDULE,
        RESCHEDULE_ALL,
        RETRY,
        RETRY_ALL
    }

    /** What happens to the keys. */
    enum Loss {
        RATE_KEY_DROPPED {
            @Override
            ClaimKeys of(ClaimKeys keys) {
                return new ClaimKeys(keys.mutex(), null, keys.fairKey());
            }
        },
        FAIR_KEY_DROPPED {
            @Override
            ClaimKeys of(ClaimKeys keys) {
                return new ClaimKeys(keys.mutex(), keys.rateKey(), null);
            }
        },
        RATE_KEY_AND_FAIR_KEY_SWAPPED {
            @Override
            ClaimKeys of(ClaimKeys keys) {
                return new ClaimKeys(keys.mutex(), keys.fairKey(), keys.rateKey());
            }
        };

        abstract ClaimKeys of(ClaimKeys keys);
    }

    private final Place place;
    private final Loss loss;

    LosingKeys(JobStore target, Place place, Loss loss) {
        super(target);
        this.place = place;
        this.loss = loss;
    }

    @Override
    public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        return super.submit(
                jobs.stream()
                        .map(job -> job.with(job.task().withExtras(spoiled(Place.SUBMIT, job.extras()))))
                        .toList(),
                spoiled(Place.SUBMIT_HANDS_OVER, committed));
    }

    @Override
    public DuePage<DueRow> dueAfter(Collection<PartitionCursor> cursors, Instant until, int limit) {
        DuePage<DueRow> page = super.dueAfter(cursors, until, limit);
        return new DuePage<>(spoiled(Place.DUE_AFTER, page.rows()), page.next());
    }

    @Override
    public DuePage<DueRow> overdue(
            Collection<PartitionCursor> cursors, Instant until, Set<String> names, int limit, int lookAt) {
        DuePage<DueRow> page = super.overdue(cursors, until, names, limit, lookAt);
        return new DuePage<>(spoiled(Place.OVERDUE, page.rows()), page.next());
    }

    @Override
    public List<Job> claim(List<DueRow> rows, long owner, long freshToken, Instant now) {
        return super.claim(rows, owner, freshToken, now).stream()
                .map(job -> job.with(
                        job.task().withExtras(spoiled(Place.CLAIM, job.extras().toText()))))
                .toList();
    }

    @Override
    public DuePage<ClaimedRow> claimedByOthers(
            Collection<PartitionCursor> cursors, Instant until, Set<Long> known, int limit) {
        DuePage<ClaimedRow> page = super.claimedByOthers(cursors, until, known, limit);
        return new DuePage<>(
                page.rows().stream()
                        .map(row -> new ClaimedRow(spoiled(Place.CLAIMED_BY_OTHERS, row.row()), row.owner()))
                        .toList(),
                page.next());
    }

    @Override
    public List<DueRow> rescue(List<DueRow> rows, Instant now, long freshToken) {
        return spoiled(Place.RESCUE, super.rescue(rows, now, freshToken));
    }

    @Override
    public ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed) {
        return super.reschedule(id, due, freshToken, spoiled(Place.RESCHEDULE, committed));
    }

    @Override
    public List<ChangeResult> rescheduleAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return super.rescheduleAll(moves, freshToken, spoiled(Place.RESCHEDULE_ALL, committed));
    }

    @Override
    public ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed) {
        return super.retry(id, due, freshToken, spoiled(Place.RETRY, committed));
    }

    @Override
    public List<ChangeResult> retryAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return super.retryAll(moves, freshToken, spoiled(Place.RETRY_ALL, committed));
    }

    private DueSink spoiled(Place here, DueSink sink) {
        return rows -> sink.accept(spoiled(here, rows));
    }

    private List<DueRow> spoiled(Place here, List<DueRow> rows) {
        return rows.stream().map(row -> spoiled(here, row)).toList();
    }

    private DueRow spoiled(Place here, DueRow row) {
        return here != place || row.keys() == null
                ? row
                : new DueRow(row.id(), row.partition(), row.name(), row.dueMillis(), row.token(), loss.of(row.keys()));
    }

    private @Nullable String spoiled(Place here, @Nullable String extras) {
        ClaimKeys keys = here == place ? ClaimKeys.of(extras) : null;
        if (keys == null) {
            return extras;
        }
        return text(loss.of(keys));
    }

    /**
     * Returns extras with only these keys, because the parts of the contract about keys do not look at other extras.
     */
    private static @Nullable String text(ClaimKeys keys) {
        JobExtras extras = JobExtras.NONE;
        if (keys.mutex() != null) {
            extras = extras.withMutex(keys.mutex());
        }
        if (keys.rateKey() != null) {
            extras = extras.withRateKey(keys.rateKey());
        }
        if (keys.fairKey() != null) {
            extras = extras.withFairKey(keys.fairKey());
        }
        return extras.toText();
    }
}
