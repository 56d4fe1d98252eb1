package io.delayjob.proofs.chaos;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.proofs.chaos.Calls.Work;
import io.delayjob.proofs.chaos.Evidence.Accepted;
import io.delayjob.proofs.chaos.Evidence.Effect;
import io.delayjob.proofs.chaos.Evidence.Row;
import io.delayjob.proofs.chaos.LedgerLine.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Evidence made by hand: what processes {@code a} and {@code b} might have written down; times in milliseconds. */
final class Story {

    private final Map<String, List<LedgerLine>> ledgers = new HashMap<>();
    private final List<Fault> faults = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
    private final List<Accepted> accepted = new ArrayList<>();
    private final Set<Long> committed = new HashSet<>();
    private final List<Effect> effects = new ArrayList<>();
    private final List<Work> work = new ArrayList<>();

    static JobId id(long number) {
        return new JobId(new UUID(7, number));
    }

    private Story write(String worker, long at, LedgerLine line) {
        ledgers.computeIfAbsent(worker, name -> new ArrayList<>())
                .add(line.at(TimeUnit.MILLISECONDS.toNanos(at), at * 1_000));
        return this;
    }

    private static LedgerLine line(Event event, long number) {
        return LedgerLine.of(event).withJob(number, id(number));
    }

    /** Process {@code a} schedules a job in a transaction of the same number; what becomes of that comes later. */
    Story scheduled(long number, Kind kind) {
        write("a", 1, line(Event.SUBMITTING, number).withGroup(number).withNote(kind));
        return write("a", 2, line(Event.SCHEDULED, number).withGroup(number));
    }

    /** The first job is to follow the second. */
    Story follows(long number, long first) {
        return write("a", 2, LedgerLine.of(Event.FOLLOWS).withJob(number, null).withNote(first));
    }

    /** This job follows another job, whose transaction is the same. */
    Story followsAll(long number, long other) {
        write("a", 1, line(Event.SUBMITTING, number).withGroup(other).withNote(Kind.NOTE));
        return write("a", 2, LedgerLine.of(Event.FOLLOWS_ALL).withJob(number, null));
    }

    Story heard(Event outcome, long number) {
        return write("a", 3, LedgerLine.of(outcome).withGroup(number));
    }

    Story committed(long number, Kind kind) {
        committed.add(number);
        return scheduled(number, kind).heard(Event.COMMITTED, number);
    }

    Story committedUnheard(long number) {
        committed.add(number);
        return this;
    }

    /** A job scheduled without a transaction of its client's; whether the call returned comes later. */
    Story submittedAlone(long number, Kind kind) {
        return write(
                "a", 1, LedgerLine.of(Event.SUBMITTING).withJob(number, null).withNote(kind));
    }

    /** A job scheduled without a transaction of its client's; the call returns at this time. */
    Story scheduledAlone(long number, Kind kind, long at) {
        write("a", at, LedgerLine.of(Event.SUBMITTING).withJob(number, null).withNote(kind));
        return write("a", at, line(Event.SCHEDULED, number));
    }

    Story row(long number, JobState state) {
        rows.add(new Row(id(number), state, null, 0));
        return this;
    }

    Story rowWithKey(long number, JobState state) {
        rows.add(new Row(id(number), state, String.valueOf(number), 0));
        return this;
    }

    Story starts(String worker, long number, int run, int attempt, long at) {
        return starts(worker, number, run, attempt, at, at);
    }

    Story starts(String worker, long number, int run, int attempt, long at, long due) {
        return write(
                worker, at, line(Event.START, number).withAttempt(run, attempt).withDue(due));
    }

    Story ends(String worker, long number, int run, int attempt, long at) {
        return write(worker, at, line(Event.END, number).withAttempt(run, attempt));
    }

    Story throwsUp(String worker, long number, int run, int attempt, long at) {
        write(worker, at, line(Event.THROWN, number).withAttempt(run, attempt));
        accepted.add(new Accepted(id(number), run, attempt, "FAILED"));
        return this;
    }

    /** The handler returns, and its transaction is rolled back. */
    Story failsToCommit(String worker, long number, int run, int attempt, long at) {
        ends(worker, number, run, attempt, at);
        write(
                worker,
                at + 1,
                line(Event.COMPLETED, number).withAttempt(run, attempt).withNote("FAILED"));
        accepted.add(new Accepted(id(number), run, attempt, "FAILED"));
        return this;
    }

    Story completes(String worker, long number, int run, int attempt, long at) {
        ends(worker, number, run, attempt, at);
        write(worker, at + 1, line(Event.COMPLETED, number).withAttempt(run, attempt));
        accepted.add(new Accepted(id(number), run, attempt, "SUCCEEDED"));
        return this;
    }

    /** An answer from outside ends the run. */
    Story endIsTaken(long number, int run, int attempt) {
        accepted.add(new Accepted(id(number), run, attempt, "SUCCEEDED"));
        return this;
    }

    /** An atomic handler's row of that attempt. */
    Story effect(long number, int attempt) {
        effects.add(new Effect(id(number), attempt));
        return this;
    }

    Story fenced(String worker, long number, int run, int attempt, long at) {
        ends(worker, number, run, attempt, at);
        return write(worker, at + 1, line(Event.FENCED, number).withAttempt(run, attempt));
    }

    Story cancels(long number, long asked, long answered, String answer) {
        write("a", asked, line(Event.CANCELLING, number));
        return write("a", answered, line(Event.CANCEL_ANSWER, number).withNote(answer));
    }

    Story reschedules(long number, long asked, long answered, long due, String answer) {
        write("a", asked, line(Event.RESCHEDULING, number).withDue(due));
        return write(
                "a",
                answered,
                line(Event.RESCHEDULE_ANSWER, number).withDue(due).withNote(answer));
    }

    Story leads(String worker, String partition, long from, long until) {
        write(worker, from, LedgerLine.of(Event.LEASE_ACQUIRED).withNote(partition));
        return write(worker, until, LedgerLine.of(Event.LEASE_ENDED).withNote(partition));
    }

    Story hiccup(String worker, long from, long until) {
        return write(worker, until, LedgerLine.of(Event.HICCUP).withNote(until - from));
    }

    Story silence(String worker, long from, long until) {
        return write(worker, until, LedgerLine.of(Event.SILENCE).withNote(until - from));
    }

    Story stops(String worker, long at) {
        return write(worker, at, LedgerLine.of(Event.STOPPING));
    }

    Story fault(FaultKind kind, String worker, long from, long until) {
        faults.add(
                new Fault(kind, worker, TimeUnit.MILLISECONDS.toNanos(from), TimeUnit.MILLISECONDS.toNanos(until), 1));
        return this;
    }

    /** The answerer, which is process {@code c}, answers a call of this job. */
    Story answers(long number, long asked, long answered, AnswerResult result) {
        write("c", asked, line(Event.ANSWERING, number).withGroup(asked));
        return write(
                "c", answered, line(Event.ANSWERED, number).withGroup(asked).withNote(result));
    }

    /** The answerer writes a row with an answer that ends this run. */
    Story works(long number, int run) {
        work.add(new Work(id(number), run));
        return this;
    }

    Account account() {
        return new Account(evidence());
    }

    AnswersAccount answersAccount() {
        return new AnswersAccount(evidence(), work);
    }

    private Evidence evidence() {
        return new Evidence(Profile.FAST, ledgers, faults, rows, accepted, committed, effects);
    }
}
