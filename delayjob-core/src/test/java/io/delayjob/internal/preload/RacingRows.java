package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import io.delayjob.job.GivenJob;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.time.HandClock;
import io.delayjob.wheel.TimingWheel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * The operations that threads may call on waiting rows, in any order and interleaving, and a check of the result. No
 * row may be passed on twice or early. One row of each job must be passed on, even if the job has changed or the clock
 * was set.
 *
 * <p>Public, because Lincheck calls it. Written with loops, because Lincheck instruments all code that it calls.
 */
@Param(name = "job", gen = IntGen.class, conf = "0:1")
@Param(name = "delay", gen = IntGen.class, conf = "0:2")
public class RacingRows {

    private static final Partition PARTITION = new Partition("default", 0);
    private static final JobId[] JOBS = {GivenJob.id(1), GivenJob.id(2)};

    /** A jump of the clock. It is longer than the time until {@link #check}, so that an old deadline is not reached. */
    private static final Duration JUMP = Duration.ofSeconds(1);

    private final HandClock clock = new HandClock();
    private final TimingWheel wheel =
            TimingWheel.builder(clock::nanoTime).tick(Duration.ofNanos(1)).polledByOwner(() -> {});
    private final WaitingRows waiting = new WaitingRows(
            wheel, clock, RacingRows::roomForOne, this::come, LeadTime.NONE, Duration.ofSeconds(10), 100);
    private final DueRow[] rows = new DueRow[16];
    private final AtomicInteger count = new AtomicInteger();
    private final int[] came = new int[16];
    private volatile boolean early;

    private static Map<String, Integer> roomForOne(String queue, Set<String> names) {
        return Map.of(names.iterator().next(), 1);
    }

    /** Offers a row that was just written or changed. */
    @Operation
    public void offer(@Param(name = "job") int job, @Param(name = "delay") int delay) {
        int token = count.getAndIncrement();
        rows[token] = new DueRow(JOBS[job], PARTITION, "a", clock.storeMillis() + delay, token, null);
        waiting.accept(List.of(rows[token]));
    }

    /** Polls once, as the wheel's thread does. */
    @Operation(nonParallelGroup = "wheel")
    public void tick() {
        advance(1);
    }

    /** Sets the store's clock, and lets the window reader follow it. */
    @Operation(nonParallelGroup = "reader")
    public void setClock() {
        clock.setStore(JUMP);
        waiting.followClock();
    }

    private void advance(long millis) {
        clock.advanceMillis(millis);
        wheel.poll();
    }

    private List<DueRow> come(List<DueRow> due, long asOfNanos) {
        for (DueRow row : due) {
            synchronized (came) {
                came[(int) row.token()]++;
            }
            if (row.dueMillis() > clock.storeMillis()) {
                early = true;
            }
        }
        return List.of();
    }

    @Validate
    public void check() {
        must(wheel.size() == waiting.size(), "the wheel holds other rows than those that wait");
        advance(10);
        must(waiting.size() == 0, "a row is still waiting after its time");
        must(!early, "a row came early");
        for (JobId job : JOBS) {
            checkRowsOf(job);
        }
    }

    private void checkRowsOf(JobId job) {
        int offered = 0;
        int arrived = 0;
        for (int i = 0; i < count.get(); i++) {
            if (rows[i].id().equals(job)) {
                offered++;
                arrived += came[i];
                must(came[i] <= 1, "a row came twice");
            }
        }
        must(offered == 0 || arrived > 0, "no row of a job came");
    }

    private void must(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise + ": " + Arrays.toString(came));
        }
    }
}
