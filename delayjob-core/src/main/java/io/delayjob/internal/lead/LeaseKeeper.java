package io.delayjob.internal.lead;

import io.delayjob.event.JobListeners;
import io.delayjob.internal.instance.Membership;
import io.delayjob.internal.lead.ForeignHolders.Share;
import io.delayjob.internal.lead.HeldLeases.Held;
import io.delayjob.job.Partition;
import io.delayjob.lease.Lease;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the leases of this instance's share of the partitions: <code>ceil(partitions of a queue / live instances that
 * run its jobs)</code>. If only other instances run the jobs of a queue, the share is 0.
 *
 * <p>While this instance leads fewer partitions than its share, the lease keeper takes free partitions. The lease
 * keeper gives back partitions beyond the share. It also gives back partitions that this instance may no longer lead.
 * If checks find a partition free for a whole lease duration, the lease keeper takes it for a while, even beyond the
 * share. This is necessary because the instance that should have taken the partition may be alive, but unable to lead.
 *
 * <p>{@link HeldLeases} describes for how long a lease is trusted. One agent thread calls {@link #doWork()}; any thread
 * may call methods that only read.
 */
public final class LeaseKeeper implements Agent {

    private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);

    /**
     * Number of tries before the pause doubles. After an instance has died, the others try in vain until its leases
     * expire. This number is so high that the others still try often when the leases expire. So they soon take the
     * partitions.
     */
    private static final int TRIES_AT_ONE_PACE = 4;

    /**
     * Maximum number of times that the pause is doubled. This number is so low that an instance gets its share within a
     * few seconds. But it is so high that a hundred spare instances do not overload the table of leases.
     */
    private static final int MAX_RETRY_DOUBLINGS = 3;

    private final LeaseProvider provider;
    private final EngineClock clock;
    private final Membership membership;
    private final Supplier<Set<Partition>> candidates;
    private final RandomGenerator random;
    private final JobListeners listeners;
    private final Runnable onChange;
    private final Duration duration;
    private final long durationNanos;
    private final ForeignHolders foreignHolders;

    private final HeldLeases held;
    private final Map<Partition, Long> handedBackNanos = new HashMap<>();
    private final Map<Partition, Long> foundFreeNanos = new HashMap<>();
    private final Map<Partition, Long> unansweredReleaseNanos = new HashMap<>();
    private Map<String, Share> shares = Map.of();
    private Set<Long> workers = Set.of();
    private long sharesSinceNanos;
    private long knownSinceNanos;
    private int fruitlessTries;
    private long nextTryNanos;
    private volatile Set<Partition> known = Set.of();

    /**
     * @param candidates supplies every partition that this instance may lead. These are the configured partitions, and
     *     the partitions that are found in the store. Is called once in each lease duration
     * @param onChange is called when a lease was acquired or has ended
     */
    public LeaseKeeper(
            LeaseTerms terms,
            EngineClock clock,
            Membership membership,
            Supplier<Set<Partition>> candidates,
            RandomGenerator random,
            JobListeners listeners,
            Runnable onChange) {
        this.provider = terms.provider();
        this.clock = clock;
        this.membership = membership;
        this.candidates = candidates;
        this.duration = terms.duration();
        this.durationNanos = duration.toNanos();
        this.held = new HeldLeases(clock, durationNanos);
        this.foreignHolders = new ForeignHolders(duration);
        this.random = random;
        this.listeners = listeners;
        this.onChange = onChange;
        this.nextTryNanos = clock.nanoTime();
    }

    @Override
    public String roleName() {
        return "lease";
    }

    @Override
    public long doWork() {
        dropExpired();
        renew();
        if (membership.number() == 0) {
            return durationNanos / 20;
        }
        refreshShares();
        handBackSurplus();
        if (clock.nanoTime() - nextTryNanos >= 0) {
            takeFree();
        }
        return untilNextDuty();
    }

    private void dropExpired() {
        held.all().forEach((partition, lease) -> {
            if (!lease.isTrusted(clock.nanoTime())) {
                lose(partition, "expired");
            }
        });
    }

    /**
     * Renews the leases. After an exception, it is unknown whether the lease was renewed. So while this instance trusts
     * the lease, it tries again to renew it.
     */
    private void renew() {
        eachInTurn(held.all(), (partition, lease) -> {
            HeldLeases.Request request = held.begin();
            if (request.nanos() - lease.renewNanos() < 0) {
                return;
            }
            Optional<Lease> extended = lease.lease().extend(duration);
            if (extended.isPresent()) {
                held.put(partition, extended.get(), request, lease.beyondShareUntilNanos());
            } else {
                lose(partition, "lost");
            }
        });
    }

    /**
     * Calls a function for each lease. If the function fails for one lease, the loop goes on with the next. But if all
     * calls so far have taken very long, a failure ends the loop. The lease provider then seems to be unavailable.
     *
     * @throws RuntimeException the last failure, when the loop has ended
     */
    private void eachInTurn(Map<Partition, Held> leases, BiConsumer<Partition, Held> step) {
        long started = clock.nanoTime();
        RuntimeException failure = null;
        for (Map.Entry<Partition, Held> entry : leases.entrySet()) {
            try {
                step.accept(entry.getKey(), entry.getValue());
            } catch (RuntimeException unanswered) {
                failure = unanswered;
                if (clock.nanoTime() - started > durationNanos / 4) {
                    break;
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void refreshShares() {
        long present = clock.nanoTime();
        if (known.isEmpty() || present - knownSinceNanos >= durationNanos) {
            known = Set.copyOf(candidates.get());
            knownSinceNanos = present;
        }
        Map<String, Share> now = new TreeMap<>();
        known.stream()
                .collect(Collectors.groupingBy(Partition::queue, Collectors.counting()))
                .forEach((queue, partitions) ->
                        now.put(queue, new Share(partitions.intValue(), membership.sharersOf(queue))));
        // An instance that begins to stop gives back its partitions, even if no share changes.
        Set<Long> workersNow = membership.workers();
        if (!now.equals(shares) || !workersNow.equals(workers)) {
            shares = now;
            workers = workersNow;
            sharesSinceNanos = present;
            fruitlessTries = 0;
            nextTryNanos = present;
        }
    }

    private void handBackSurplus() {
        long now = clock.nanoTime();
        shares.forEach((queue, share) -> {
            List<Partition> counting = held.counting(queue, now);
            int kept = Math.min(share.most(), counting.size());
            for (Partition partition : counting.subList(kept, counting.size())) {
                handedBackNanos.put(partition, now);
                release(partition, "surplus");
            }
        });
        // These queues are named only in calls, and have been empty for a while.
        held.all().keySet().stream()
                .filter(partition -> !known.contains(partition))
                .forEach(partition -> release(partition, "unused"));
    }

    private void takeFree() {
        long now = clock.nanoTime();
        boolean settled = now - sharesSinceNanos > durationNanos;
        boolean wanting = false;
        boolean got = false;
        List<Partition> free = new ArrayList<>(new TreeSet<>(known));
        free.removeAll(held.all().keySet());
        unansweredReleaseNanos.values().removeIf(released -> now - released >= durationNanos);
        free.removeAll(unansweredReleaseNanos.keySet());
        // If two instances start together, they should not try the same partitions in the same order.
        Collections.rotate(free, free.isEmpty() ? 0 : random.nextInt(free.size()));
        for (Partition partition : free) {
            Share share = shares.get(partition.queue());
            boolean belowShare = share != null && led(partition.queue()).size() < share.most();
            Long handedBack = handedBackNanos.get(partition);
            boolean left = handedBack != null && now - handedBack < 2 * durationNanos;
            if (belowShare) {
                wanting = true;
                got |= take(partition);
            } else if (settled && !left) {
                got |= takeBeyondShare(partition, now);
            }
        }
        int doublings = Math.min(fruitlessTries / TRIES_AT_ONE_PACE, MAX_RETRY_DOUBLINGS);
        fruitlessTries = got ? 0 : fruitlessTries + 1;
        long pause = wanting ? (durationNanos / 20) << doublings : durationNanos;
        nextTryNanos = clock.nanoTime() + pause;
        foreignHolders.retain(shares.keySet());
        shares.forEach(
                (queue, share) -> foreignHolders.look(queue, share, led(queue).size(), now));
    }

    private boolean take(Partition partition) {
        HeldLeases.Request request = held.begin();
        Optional<Lease> lease = provider.acquire(partition.toString(), duration);
        lease.ifPresent(got -> lead(partition, got, request, request.nanos()));
        return lease.isPresent();
    }

    /**
     * The partition is taken only after it was free for a whole lease duration. Until then, an instance with less than
     * its share can take it.
     */
    private boolean takeBeyondShare(Partition partition, long nowNanos) {
        HeldLeases.Request request = held.begin();
        Optional<Lease> lease = provider.acquire(partition.toString(), duration);
        if (lease.isEmpty()) {
            foundFreeNanos.remove(partition);
            return false;
        }
        long foundFree = foundFreeNanos.getOrDefault(partition, nowNanos);
        if (nowNanos - foundFree < durationNanos) {
            foundFreeNanos.put(partition, foundFree);
            release(partition, lease.get());
            return false;
        }
        lead(partition, lease.get(), request, nowNanos + 5 * durationNanos);
        return true;
    }

    private void lead(Partition partition, Lease lease, HeldLeases.Request request, long beyondShareUntilNanos) {
        held.put(partition, lease, request, beyondShareUntilNanos);
        handedBackNanos.remove(partition);
        foundFreeNanos.remove(partition);
        log.debug("This instance now holds the lease of partition {}, and reads its jobs.", partition);
        listeners.tell(l -> l.leaseAcquired(partition));
        onChange.run();
    }

    private long untilNextDuty() {
        long now = clock.nanoTime();
        long next = nextTryNanos - now;
        for (Held lease : held.all().values()) {
            next = Math.min(next, lease.renewNanos() - now);
        }
        // The shares may have changed since the last check, because instances have joined or left.
        return Math.max(Math.min(next, durationNanos / 10), 0);
    }

    private void release(Partition partition, String reason) {
        Held ended = end(partition, reason);
        if (ended != null) {
            release(partition, ended.lease());
        }
    }

    /**
     * If the provider does not reply, the release may still take effect later. Such a late release frees any lease of
     * this name, even if another instance holds the lease by then. So this instance does not take the partition again
     * for a lease duration.
     */
    private void release(Partition partition, Lease lease) {
        try {
            lease.release();
        } catch (RuntimeException unanswered) {
            unansweredReleaseNanos.put(partition, clock.nanoTime());
            throw unanswered;
        }
    }

    /**
     * Ends a lease early. The partition of this lease may now be free, so the instance searches for free partitions at
     * once.
     */
    private void lose(Partition partition, String reason) {
        end(partition, reason);
        fruitlessTries = 0;
        nextTryNanos = clock.nanoTime();
    }

    private @Nullable Held end(Partition partition, String reason) {
        Held ended = held.remove(partition);
        if (ended != null) {
            log.debug("This instance no longer holds the lease of partition {}. The reason: {}.", partition, reason);
            listeners.tell(l -> l.leaseEnded(partition, reason));
            onChange.run();
        }
        return ended;
    }

    /**
     * Gives every lease back. If a lease cannot be given back, it expires later. After this call, the agent must not be
     * called.
     *
     * @return number of leases that were given back
     */
    public int releaseAll() {
        Map<Partition, Held> leases = held.all();
        leases.keySet().forEach(partition -> end(partition, "stopping"));
        AtomicInteger handedBack = new AtomicInteger();
        try {
            eachInTurn(leases, (partition, lease) -> {
                lease.lease().release();
                handedBack.incrementAndGet();
            });
        } catch (RuntimeException failure) {
            log.warn(
                    "This instance is stopping, and could not hand back {} of its {} leases. Other instances can "
                            + "take over these leases when they expire. The reason: {}",
                    leases.size() - handedBack.get(),
                    leases.size(),
                    failure.toString());
        }
        return handedBack.get();
    }

    /** Returns the partitions that this instance leads at present, in order. */
    public List<Partition> led() {
        return held.led();
    }

    /** Returns the partitions of this queue that this instance leads at present, in order. */
    public List<Partition> led(String queue) {
        return led().stream()
                .filter(partition -> partition.queue().equals(queue))
                .toList();
    }

    /**
     * Returns how many of the first {@code first} partitions of this queue this instance leads at present.
     */
    public int led(String queue, int first) {
        return held.led(queue, first);
    }

    /**
     * Returns the number of the lease that this instance has for the partition at present; 0 if this instance does not
     * lead the partition.
     */
    public long term(Partition partition) {
        return held.term(partition);
    }

    /** Returns the known partitions that this instance does not lead. */
    public List<Partition> notLed() {
        List<Partition> others = new ArrayList<>(new TreeSet<>(known));
        others.removeAll(led());
        return others;
    }
}
