package io.delayjob.redis;

import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.lettuce.core.cluster.SlotHash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Names all keys in Redis. All keys of a slot have the same hash tag, so that one script can change them together:
 * <pre>
 *   {namespace}{tag}:j:[id]          row of an unfinished or ended job
 *   {namespace}{tag}:a:[id]          its attempts, the newest first
 *   {namespace}{tag}:due:[partition] waiting jobs by due time
 *   {namespace}{tag}:run:[partition] running jobs by due time
 *   {namespace}{tag}:await           jobs that await an answer, by deadline
 *   {namespace}{tag}:end:[kind]      ended jobs by the time of their end
 *   {namespace}{tag}:until           finished jobs whose handler says when to delete them, by that time
 *   {namespace}{tag}:ids             unfinished jobs by id, in runs of up to 8 ids
 *   {namespace}{tag}:eids            ended jobs by id
 *   {namespace}{tag}:keys            the unfinished job of each name and key
 *   {namespace}{tag}:long            jobs whose rows are too long to be read as a whole with others
 *   {namespace}{tag}:ekeys           ended jobs by name, key and id
 *   {namespace}{tag}:parts           partitions that were ever used
 *   {namespace}{tag}:g:[group]       numbers of the group's members in this slot
 *   {namespace}{tag}:groups          groups whose numbers have changed
 *   {namespace}{meta}:[name]         the register, the pauses, the minutes, the groups, the settings
 * </pre>
 * The hashes of the tags are spread evenly over the slots of Redis Cluster. Thread-safe.
 */
final class Keyspace {

    /** Maximum number of slots, because ten bits of an id contain the number of the slot. */
    static final int MAX_SLOTS = 1_024;

    /** Maximum number of rows for one script. The server runs nothing else during a script. */
    static final int MAX_ROWS = 250;

    static final int ID_LENGTH = 2 * Long.BYTES;

    private static final int SLOT_BITS = MAX_SLOTS - 1;

    /** An odd number whose multiples differ in many bits. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    /** Number of bits of a UUID's variant, at the start of its second half. */
    private static final int VARIANT_LENGTH = 2;

    private static final byte[] NOTHING = {};

    private final String namespace;
    private final String[] slots;
    private final byte[][] rows;

    Keyspace(String namespace, int slots) {
        this.namespace = namespace;
        this.slots = new String[slots];
        int found = 0;
        for (int candidate = 0; found < slots; candidate++) {
            String tag = Integer.toString(candidate, Character.MAX_RADIX);
            int slot = (int) ((long) SlotHash.getSlot(tag) * slots / SlotHash.SLOT_COUNT);
            if (this.slots[slot] == null) {
                this.slots[slot] = namespace + '{' + tag + "}:";
                found++;
            }
        }
        this.rows = Arrays.stream(this.slots).map(tag -> Bytes.of(tag + "j:")).toArray(byte[][]::new);
    }

    int slots() {
        return slots.length;
    }

    String namespace() {
        return namespace;
    }

    int slotOf(JobId id) {
        return (int) id.value().getMostSignificantBits() & slots.length - 1;
    }

    int slotOf(String name, String key) {
        return hash(name, key) & slots.length - 1;
    }

    /** Splits the elements into lists. Each list belongs to one slot, and is short enough for one script. */
    <E> List<List<E>> inScripts(Collection<E> elements, Function<E, JobId> id) {
        Map<Integer, List<E>> bySlot = new TreeMap<>();
        List<List<E>> lists = new ArrayList<>();
        for (E element : elements) {
            List<E> ofSlot = bySlot.get(slotOf(id.apply(element)));
            if (ofSlot == null || ofSlot.size() == MAX_ROWS) {
                ofSlot = new ArrayList<>();
                bySlot.put(slotOf(id.apply(element)), ofSlot);
                lists.add(ofSlot);
            }
            ofSlot.add(element);
        }
        return lists;
    }

    /**
     * The number of the slot replaces some bits of the id. The replaced bits are mixed into the other bits, because a
     * caller's ids may differ only in the replaced bits.
     */
    JobId idFor(JobId id, String name, String key) {
        long high = id.value().getMostSignificantBits();
        long giveWay = high & SLOT_BITS;
        int slot = hash(name, key);
        if (giveWay == slot) {
            return id;
        }
        long mixed = (giveWay + 1) * SPREAD >>> VARIANT_LENGTH;
        return new JobId(new UUID(high & ~SLOT_BITS | slot, id.value().getLeastSignificantBits() ^ mixed));
    }

    private static int hash(String name, String key) {
        CRC32 sum = new CRC32();
        sum.update((name + '\n' + key).getBytes(StandardCharsets.UTF_8));
        return (int) sum.getValue() & SLOT_BITS;
    }

    String row(JobId id) {
        return Bytes.text(withId(rows[slotOf(id)], id.value()));
    }

    String attempts(JobId id) {
        return slots[slotOf(id)] + "a:" + member(id);
    }

    String due(int slot, Partition partition) {
        return slots[slot] + "due:" + member(partition);
    }

    String running(int slot, Partition partition) {
        return slots[slot] + "run:" + member(partition);
    }

    String awaiting(int slot) {
        return slots[slot] + "await";
    }

    String unfinishedIds(int slot) {
        return slots[slot] + "ids";
    }

    String endedIds(int slot) {
        return slots[slot] + "eids";
    }

    /** Ended jobs of this state, except the jobs in {@link #kept} and {@link #cancelledSchedules}. */
    String ended(int slot, JobState state) {
        return slots[slot] + "end:" + state.name();
    }

    /** Cancelled jobs with the key {@link Job#DECLARED_KEY}. These jobs are never purged. */
    String cancelledSchedules(int slot) {
        return slots[slot] + "end:SCHEDULES";
    }

    /** Finished jobs whose handler states how long its jobs are kept. The jobs are sorted by the time of their end. */
    String kept(int slot) {
        return slots[slot] + "end:KEPT";
    }

    String keptUntil(int slot) {
        return slots[slot] + "until";
    }

    /** Returns the keys of all sets of ended jobs. Each ended job of this state is in exactly one set. */
    List<String> allEnded(int slot, JobState state) {
        return switch (state) {
            case FINISHED -> List.of(ended(slot, state), kept(slot));
            case CANCELLED -> List.of(ended(slot, state), cancelledSchedules(slot));
            default -> List.of(ended(slot, state));
        };
    }

    String ended(Job job) {
        int slot = slotOf(job.id());
        if (job.state() == JobState.CANCELLED && Job.DECLARED_KEY.equals(job.key())) {
            return cancelledSchedules(slot);
        }
        return job.keptUntil() == null ? ended(slot, job.state()) : kept(slot);
    }

    String longRows(int slot) {
        return slots[slot] + "long";
    }

    String keys(int slot) {
        return slots[slot] + "keys";
    }

    String endedKeys(int slot) {
        return slots[slot] + "ekeys";
    }

    String partitions(int slot) {
        return slots[slot] + "parts";
    }

    String groupNumbers(int slot, UUID group) {
        return slots[slot] + "g:" + member(group);
    }

    String changedGroups(int slot) {
        return slots[slot] + "groups";
    }

    /** In a separate slot. */
    String meta(String name) {
        return namespace + "{meta}:" + name;
    }

    /** A member consists of the 16 bytes of an id, so the members have the same order as the ids. */
    static String member(JobId id) {
        return member(id.value());
    }

    static String member(UUID id) {
        return Bytes.text(withId(NOTHING, id));
    }

    private static byte[] withId(byte[] begin, UUID id) {
        return ByteBuffer.allocate(begin.length + ID_LENGTH)
                .put(begin)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    /** The id is the whole member, or the end of the member. */
    static JobId id(byte[] member) {
        ByteBuffer bytes = ByteBuffer.wrap(member, member.length - ID_LENGTH, ID_LENGTH);
        return new JobId(new UUID(bytes.getLong(), bytes.getLong()));
    }

    static List<JobId> ids(byte[] run) {
        ByteBuffer bytes = ByteBuffer.wrap(run);
        List<JobId> ids = new ArrayList<>();
        while (bytes.hasRemaining()) {
            ids.add(new JobId(new UUID(bytes.getLong(), bytes.getLong())));
        }
        return ids;
    }

    static String member(Partition partition) {
        return partition.index() + ":" + Bytes.text(Bytes.utf8(partition.queue()));
    }

    static Partition partition(byte[] member) {
        String text = Bytes.fromUtf8(member);
        int colon = text.indexOf(':');
        return new Partition(text.substring(colon + 1), Integer.parseInt(text.substring(0, colon)));
    }

    /** A field begins with the lengths of name and key, so no field is a prefix of another field. */
    static String field(String name, String key) {
        byte[] nameBytes = Bytes.utf8(name);
        byte[] keyBytes = Bytes.utf8(key);
        return Bytes.text(ByteBuffer.allocate(2 * Integer.BYTES + nameBytes.length + keyBytes.length)
                .putInt(nameBytes.length)
                .putInt(keyBytes.length)
                .put(nameBytes)
                .put(keyBytes)
                .array());
    }

    static @Nullable String field(Job job) {
        return job.key() == null ? null : field(job.name(), job.key());
    }
}
