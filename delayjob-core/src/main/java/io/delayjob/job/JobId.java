package io.delayjob.job;

import io.delayjob.schedule.Stated;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a job by a UUID of version 7 (RFC 9562) that the engine creates. The first 48 bits are the time of
 * creation, so a database index keeps new rows next to each other. A caller may give a UUID of any version instead.
 */
public record JobId(UUID value) implements Comparable<JobId> {

    /** Creates a new id; {@code storeMillis} is the time of creation, in milliseconds since the epoch. */
    public static JobId create(long storeMillis, RandomGenerator random) {
        long high = (storeMillis << 16) | 0x7000 | (random.nextLong() & 0x0FFF);
        long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new JobId(new UUID(high, low));
    }

    /**
     * Creates many ids, each greater than the id before it. A database inserts rows faster if their ids ascend.
     *
     * @param count number of ids, at most 2^29; with more ids, the last ids could have a wrong UUID variant
     */
    public static List<JobId> createAscending(long storeMillis, int count, RandomGenerator random) {
        UUID first = create(storeMillis, random).value;
        long high = first.getMostSignificantBits();
        long low = first.getLeastSignificantBits() & ~(1L << 61);
        List<JobId> ids = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ids.add(new JobId(new UUID(high, low)));
            low += 1 + (random.nextLong() >>> 32);
        }
        return ids;
    }

    /**
     * Returns the ids for the later jobs of a chain; the same call always returns the same ids. Each id begins with the
     * first 64 bits of this id. A {@linkplain io.delayjob.store.JobPlacement store} may write the location of a row
     * into these bits. In this case, all jobs of the chain have the same location.
     */
    public List<JobId> followers(int count) {
        List<JobId> ids = new ArrayList<>(count);
        long low = value.getLeastSignificantBits();
        for (int i = 0; i < count; i++) {
            low = mixed(low + 0x9E37_79B9_7F4A_7C15L);
            ids.add(new JobId(
                    new UUID(value.getMostSignificantBits(), (low & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L)));
        }
        return ids;
    }

    /** Mixes the bits, as SplitMix64 does. */
    private static long mixed(long bits) {
        long once = (bits ^ bits >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        long twice = (once ^ once >>> 27) * 0x94D0_49BB_1331_11EBL;
        return twice ^ twice >>> 31;
    }

    /**
     * Returns the store time at which delayjob created this id, in milliseconds since the epoch. If a caller has chosen
     * the id, this value has no meaning.
     */
    public long madeAtMillis() {
        return value.getMostSignificantBits() >>> 16;
    }

    /** Reads the text of {@link #toString()}. */
    public static JobId parse(String text) {
        Stated.notNull(text, "job id", "must be a UUID, as Scheduled.id() returned it");
        try {
            return new JobId(UUID.fromString(text));
        } catch (IllegalArgumentException notAUuid) {
            throw new IllegalArgumentException(
                    "Invalid job id '%s': must be a UUID, as Scheduled.id() returned it.".formatted(text), notAUuid);
        }
    }

    /** Compares the ids by unsigned bytes, as databases do. */
    @Override
    public int compareTo(JobId other) {
        int high = Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
        return high != 0
                ? high
                : Long.compareUnsigned(value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
    }

    /**
     * A map calls this method and {@link #hashCode} several times for each job. The two methods are faster than the
     * methods that Java generates for a record.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JobId id && value.equals(id.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
