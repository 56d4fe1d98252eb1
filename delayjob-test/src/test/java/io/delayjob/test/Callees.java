package io.delayjob.test;

import io.delayjob.handler.Answer;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.AnswerTicket;
import io.delayjob.store.StoreException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The other systems that handlers call and that answer from outside. */
final class Callees {

    /** Number of tries of a callee that gets no reply. */
    private static final int TRIES = 20;

    private final VirtualTime time;
    private final SplittableRandom random;
    private final Supplier<@Nullable Node> anyNode;

    /** @param anyNode supplies an instance that accepts an answer; {@code null} if none runs */
    Callees(VirtualTime time, SplittableRandom random, Supplier<@Nullable Node> anyNode) {
        this.time = time;
        this.random = random;
        this.anyNode = anyNode;
    }

    /** Passes this ticket to a callee, which may answer once, twice or never. */
    void pass(AnswerTicket ticket) {
        int luck = random.nextInt(8);
        if (luck == 0) {
            return;
        }
        Answer answer = luck == 1
                ? Answer.failed("bad luck outside")
                : luck == 2 ? Answer.stillWorking(Duration.ofMillis(1_000)) : Answer.done();
        answerLater(ticket, answer, random.nextLong(3_000), TRIES);
        if (luck < 5) {
            answerLater(ticket, Answer.done(), random.nextLong(5_000), TRIES);
        }
    }

    private void answerLater(AnswerTicket ticket, Answer answer, long millis, int tries) {
        time.schedule(Duration.ofMillis(millis).toNanos(), () -> {
            Node node = anyNode.get();
            if (node != null) {
                node.later(Duration.ZERO, () -> answer(node, ticket, answer, tries));
            } else if (tries > 0) {
                answerLater(ticket, answer, 500, tries - 1);
            }
        });
    }

    private void answer(Node node, AnswerTicket ticket, Answer answer, int tries) {
        try {
            AnswerResult result = node.operations().answer(ticket, answer);
            if (result == AnswerResult.TAKEN && random.nextInt(4) == 0) {
                node.operations().cancel(ticket.job());
            }
        } catch (StoreException failed) {
            if (tries > 0) {
                answerLater(ticket, answer, 500, tries - 1);
            }
        }
    }
}
