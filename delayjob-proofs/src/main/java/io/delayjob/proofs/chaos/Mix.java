package io.delayjob.proofs.chaos;

import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Which kinds of jobs the processes of a round can run, and how often they schedule each kind. */
enum Mix {
    /** Other programs schedule the jobs that await answers. */
    GENERAL(
            new Share(Kind.NOTE, 66),
            new Share(Kind.ATOMIC, 12),
            new Share(Kind.HOLD, 12),
            new Share(Kind.FLAKY, 5),
            new Share(Kind.SEQUENCE, 5),
            new Share(Kind.AWAIT, 0),
            new Share(Kind.AWAIT_SEQUENCE, 0)),

    /** At 450 or more jobs per second, jobs with a rate arrive faster than their rates allow. */
    LIMITS(
            new Share(Kind.NOTE, 582),
            new Share(Kind.HOLD, 6),
            new Share(Kind.MUTEX, 100),
            new Share(Kind.HOT_MUTEX, 5),
            new Share(Kind.LIMIT, 33),
            new Share(Kind.LOW_LIMIT, 4),
            new Share(Kind.RATE, 100),
            new Share(Kind.QUEUE_RATE, 65),
            new Share(Kind.KEY_RATE, 75),
            new Share(Kind.FAIR, 30));

    private static final int ONE_GROUP_IN = 20;

    private record Share(Kind kind, int weight) {}

    private final List<Share> shares;

    Mix(Share... shares) {
        this.shares = List.of(shares);
    }

    boolean has(Kind kind) {
        return shares.stream().anyMatch(share -> share.kind == kind);
    }

    Kind draw(RandomGenerator random) {
        int dice = random.nextInt(shares.stream().mapToInt(Share::weight).sum());
        for (Share share : shares) {
            dice -= share.weight;
            if (dice < 0) {
                return share.kind;
            }
        }
        throw new AssertionError("The dice shows more than the sum of all weights.");
    }

    @Nullable
    Kind followerOf(Kind kind) {
        return this == LIMITS && kind == Kind.HOLD ? Kind.LOW_LIMIT : null;
    }

    boolean drawGroup(RandomGenerator random) {
        return this == LIMITS && random.nextInt(ONE_GROUP_IN) == 0;
    }

    int queues() {
        return (int) shares.stream()
                .map(share -> Limits.queueOf(share.kind))
                .distinct()
                .count();
    }
}
