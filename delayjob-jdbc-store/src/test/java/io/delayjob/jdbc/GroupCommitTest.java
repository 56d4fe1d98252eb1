package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.jdbc.GroupCommit.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.DataIntegrityViolationException;

@Timeout(20)
class GroupCommitTest {

    private static final Duration LONG = Duration.ofSeconds(15);

    private final List<List<String>> written = new CopyOnWriteArrayList<>();
    private final Semaphore statements = new Semaphore(0);
    private final Semaphore begun = new Semaphore(0);
    private final List<Thread> callers = new ArrayList<>();

    private final GroupCommit<String> patient = new GroupCommit<>(this::write, LONG, Duration.ZERO);

    private void write(List<String> rows) {
        begun.release();
        statements.acquireUninterruptibly();
        written.add(rows);
        if (rows.contains("refused")) {
            throw new DataIntegrityViolationException("refused");
        }
        if (rows.contains("broken")) {
            throw new StackOverflowError();
        }
    }

    @AfterEach
    void endAll() throws InterruptedException {
        statements.release(100);
        for (Thread caller : callers) {
            caller.join();
        }
    }

    private FutureTask<Outcome> inBackground(GroupCommit<String> group, String row, Consumer<Runnable> connected) {
        FutureTask<Outcome> task = new FutureTask<>(() -> group.write(row, connected));
        Thread caller = new Thread(task, row);
        callers.add(caller);
        caller.start();
        return task;
    }

    /** Somebody in the midst of his statement. */
    private void occupy(GroupCommit<String> group) throws InterruptedException {
        inBackground(group, "first", Runnable::run);
        begun.acquire();
    }

    private FutureTask<Outcome> waiting(GroupCommit<String> group, String row) throws InterruptedException {
        return waiting(group, row, Runnable::run);
    }

    private FutureTask<Outcome> waiting(GroupCommit<String> group, String row, Consumer<Runnable> connected)
            throws InterruptedException {
        FutureTask<Outcome> task = inBackground(group, row, connected);
        Thread caller = callers.get(callers.size() - 1);
        while (caller.getState() != Thread.State.TIMED_WAITING) {
            if (Thread.interrupted()) {
                throw new InterruptedException(row + " does not wait");
            }
            Thread.onSpinWait();
        }
        return task;
    }

    @Test
    void whoeverIsAlone_writesAtOnce() {
        statements.release(2);

        assertThat(patient.write("a", Runnable::run)).isEqualTo(new Outcome(true, false, null));
        assertThat(patient.write("b", Runnable::run)).isEqualTo(new Outcome(true, false, null));

        assertThat(written).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void whoComesWhileOthersWrite_sharesAStatement() throws Exception {
        occupy(patient);
        FutureTask<Outcome> c = waiting(patient, "c");
        FutureTask<Outcome> d = waiting(patient, "d");
        FutureTask<Outcome> e = waiting(patient, "e");

        statements.release(3);

        assertThat(List.of(c.get(), d.get(), e.get())).containsOnly(new Outcome(true, true, null));
        assertThat(written).containsExactly(List.of("first"), List.of("c", "d", "e"));
    }

    @Test
    void whatIsRefused_isToldToAllWhoShareIt() throws Exception {
        occupy(patient);
        FutureTask<Outcome> good = waiting(patient, "good");
        FutureTask<Outcome> bad = waiting(patient, "refused");

        statements.release(3);

        assertThat(List.of(good.get(), bad.get())).allSatisfy(outcome -> {
            assertThat(outcome.shared()).isTrue();
            assertThat(outcome.error()).isInstanceOf(DataIntegrityViolationException.class);
        });
    }

    @Test
    void statementThatBreaksOff_mayHaveBeenRun_asFarAsOthersKnow() throws Exception {
        occupy(patient);
        FutureTask<Outcome> writer = waiting(patient, "broken");
        FutureTask<Outcome> other = waiting(patient, "other");

        statements.release(3);

        assertThatThrownBy(writer::get).hasCauseInstanceOf(StackOverflowError.class);
        assertThat(other.get().run()).isTrue();
        assertThat(StoreErrors.isPassing(other.get().error())).isTrue();
        assertThat(StoreErrors.isAnswer(other.get().error())).isFalse();
    }

    @Test
    void whoHasNoConnection_keepsNobodyFromWriting() throws Exception {
        occupy(patient);
        FutureTask<Outcome> without = waiting(patient, "c", statement -> {
            throw new IllegalStateException("the pool is exhausted");
        });
        FutureTask<Outcome> next = waiting(patient, "d");

        statements.release(3);

        assertThatThrownBy(without::get).hasMessageContaining("the pool is exhausted");
        assertThat(next.get()).isEqualTo(new Outcome(true, false, null));
    }

    @Test
    void whereNoConnectionCommitsByItself_nothingIsRun() {
        assertThat(patient.write("a", statement -> {})).isEqualTo(new Outcome(false, false, null));
        assertThat(written).isEmpty();
    }

    @Test
    void whoHasWaitedForTooLong_leadsAGroupBesideTheOthers() throws Exception {
        // The patience is long, because both callers must wait before it ends.
        GroupCommit<String> impatient = new GroupCommit<>(this::write, Duration.ofSeconds(4), Duration.ZERO);
        occupy(impatient);
        FutureTask<Outcome> c = inBackground(impatient, "c", Runnable::run);
        FutureTask<Outcome> d = inBackground(impatient, "d", Runnable::run);
        begun.acquire();

        statements.release(3);

        assertThat(List.of(c.get(), d.get())).containsOnly(new Outcome(true, true, null));
        endAll();
        // Either of the two may be the one whose patience ends first.
        assertThat(written.stream().map(Set::copyOf)).containsExactlyInAnyOrder(Set.of("first"), Set.of("c", "d"));
    }

    @Test
    void groupBesideTheOthers_leavesTheTurnWithThem() throws Exception {
        occupy(patient);
        FutureTask<Outcome> without = waiting(patient, "without a connection", statement -> {});
        // An interruption ends the wait of the caller, as the end of its patience would.
        callers.get(1).interrupt();
        assertThat(without.get()).isEqualTo(new Outcome(false, false, null));

        // The caller would not wait if the group had taken the turn.
        FutureTask<Outcome> waits = waiting(patient, "waits");
        statements.release(2);

        assertThat(waits.get().error()).isNull();
    }

    @Test
    void whoIsInterrupted_takesNobodyAlong_andStaysInterrupted() throws Exception {
        occupy(patient);
        CountDownLatch interrupted = new CountDownLatch(1);
        waiting(patient, "c", statement -> {
            if (Thread.currentThread().isInterrupted()) {
                interrupted.countDown();
            }
            statement.run();
        });
        waiting(patient, "d");

        callers.get(1).interrupt();
        interrupted.await();
        begun.acquire();
        statements.release(3);

        endAll();
        assertThat(written).containsExactlyInAnyOrder(List.of("first"), List.of("c"), List.of("d"));
    }

    @Test
    void writerAfterASharedStatement_waitsForAsManyCallers() throws Exception {
        GroupCommit<String> gathering = new GroupCommit<>(this::write, LONG, Duration.ofMinutes(1));
        share(gathering);

        FutureTask<Outcome> writer = waiting(gathering, "e");
        FutureTask<Outcome> second = waiting(gathering, "f");
        assertThat(begun.availablePermits()).as("a third is missing").isZero();
        FutureTask<Outcome> third = inBackground(gathering, "g", Runnable::run);

        assertThat(List.of(writer.get(), second.get(), third.get())).containsOnly(new Outcome(true, true, null));
        assertThat(written.get(2)).containsExactly("e", "f", "g");
    }

    @Test
    void writerAfterASharedStatement_writesAloneAfterAWhileIfNobodyComes() throws Exception {
        GroupCommit<String> gathering = new GroupCommit<>(this::write, LONG, Duration.ofMillis(50));
        share(gathering);

        assertThat(gathering.write("e", Runnable::run)).isEqualTo(new Outcome(true, false, null));

        GroupCommit<String> untilNow = new GroupCommit<>(this::write, LONG, LONG);
        assertThat(untilNow.write("f", Runnable::run)).isEqualTo(new Outcome(true, false, null));
        assertThat(untilNow.write("g", Runnable::run)).isEqualTo(new Outcome(true, false, null));
    }

    /** Writes one row, and then three rows together. */
    private void share(GroupCommit<String> group) throws Exception {
        occupy(group);
        List<FutureTask<Outcome>> sharers = new ArrayList<>();
        for (String row : List.of("b", "c", "d")) {
            sharers.add(waiting(group, row));
        }
        statements.release(100);
        for (FutureTask<Outcome> sharer : sharers) {
            sharer.get();
        }
        begun.drainPermits();
    }

    @Test
    void groups_haveALimit() throws Exception {
        occupy(patient);
        for (int number = 0; number < 101; number++) {
            waiting(patient, "row-" + number);
        }

        statements.release(3);
        endAll();

        assertThat(written).extracting(List::size).containsExactly(1, 100, 1);
    }
}
