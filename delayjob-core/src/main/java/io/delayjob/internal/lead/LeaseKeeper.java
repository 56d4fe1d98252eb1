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
 * run its jobs)</code>. The keeper also leads a partition beyond the share for a while if the partition was free for a
 * whole lease duration. The instance that should lead this partition may be alive, but unable to lead. One agent thread
 * calls {@link #doWork()}; any thread may call methods that only read.
 */
public final class LeaseKeeper implements Agent {

    private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);

    /**
     * Number of failed tries before the pause between two tries doubles. Instances must still try often when the leases
     * of a dead instance expire.
     */
    private static final int TRIES_AT_ONE_PACE = 4;

    /**
     * With this number, an instance gets its share within seconds. A hundred spare instances do not overload the table
     * of leases.
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
     * @param candidates supplies every partition that this instance may lead, once in each lease duration
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

    /** After an exception, the renewal is tried again while the lease is trusted. */
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

    /** A failure ends the loop only if the calls have taken very long, because the provider then seems unavailable. */
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

    /** A partition must be free for a whole lease duration, so that an instance below its share can take it first. */
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
        // Instances may join or leave meanwhile, which changes the shares.
        return Math.max(Math.min(next, durationNanos / 10), 0);
    }

    private void release(Partition partition, String reason) {
        Held ended = end(partition, reason);
        if (ended != null) {
            release(partition, ended.lease());
        }
    }

    /**
     * A release that got no answer may free the lease later. So this instance does not take the partition again for a
     * lease duration.
     */
    private void release(Partition partition, Lease lease) {
        try {
            lease.release();
        } catch (RuntimeException unanswered) {
            unansweredReleaseNanos.put(partition, clock.nanoTime());
            throw unanswered;
        }
    }

    /** The partition may now be free, so the search for free partitions starts at once. */
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

    /** A lease that cannot be given back expires later. After this call, the agent must not be called. */
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

    public List<Partition> led() {
        return held.led();
    }

    public List<Partition> led(String queue) {
        return led().stream()
                .filter(partition -> partition.queue().equals(queue))
                .toList();
    }

    public int led(String queue, int first) {
        return held.led(queue, first);
    }

    public long term(Partition partition) {
        return held.term(partition);
    }

    public List<Partition> notLed() {
        List<Partition> others = new ArrayList<>(new TreeSet<>(known));
        others.removeAll(led());
        return others;
    }
}
