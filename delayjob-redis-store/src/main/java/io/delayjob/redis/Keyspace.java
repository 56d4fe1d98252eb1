package io.delayjob.redis;

import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.lettuce.core.cluster.SlotHash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The names of all keys. Jobs are spread over slots. All keys of a slot have the same hash tag, so that one script can
 * change them together:
 * <pre>
 *   {namespace}{tag}:j:[id]          row of an unfinished or ended job
 *   {namespace}{tag}:a:[id]          its attempts, the newest first
 *   {namespace}{tag}:due:[partition] waiting jobs by due time
 *   {namespace}{tag}:run:[partition] running jobs by due time
 *   {namespace}{tag}:await           jobs that await an answer, by deadline
 *   {namespace}{tag}:end:[kind]      ended jobs by end
 *   {namespace}{tag}:ids             unfinished jobs by id, in runs of up to 8 ids
 *   {namespace}{tag}:eids            ended jobs by id
 *   {namespace}{tag}:keys            the unfinished job of each name and key
 *   {namespace}{tag}:ekeys           ended jobs by name, key and id
 *   {namespace}{tag}:parts           partitions that were ever used
 *   {namespace}{meta}:[name]         the register, the pauses, the minutes, the settings
 * </pre>
 * The tags are chosen so that their hashes are spread evenly over the slots of Redis Cluster. Thread-safe.
 */
final class Keyspace {

    /** Maximum number of slots: ten bits of an id hold the number of the slot. */
    static final int MAX_SLOTS = 1_024;

    private static final int SLOT_BITS = MAX_SLOTS - 1;

    private final String namespace;
    private final String[] slots;

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
    }

    int slots() {
        return slots.length;
    }

    String namespace() {
        return namespace;
    }

    /** Returns the slot of a job, which is part of its id. */
    int slotOf(JobId id) {
        return (int) id.value().getMostSignificantBits() & slots.length - 1;
    }

    /** Returns the slot of all jobs of this name and key. */
    int slotOf(String name, String key) {
        return hash(name, key) & slots.length - 1;
    }

    /** Returns a copy of the id, changed so that it belongs to the slot of this name and key. */
    JobId idFor(JobId id, String name, String key) {
        UUID value = id.value();
        return new JobId(new UUID(
                value.getMostSignificantBits() & ~SLOT_BITS | hash(name, key), value.getLeastSignificantBits()));
    }

    private static int hash(String name, String key) {
        CRC32 sum = new CRC32();
        sum.update((name + '\n' + key).getBytes(StandardCharsets.UTF_8));
        return (int) sum.getValue() & SLOT_BITS;
    }

    String row(JobId id) {
        return slots[slotOf(id)] + "j:" + member(id);
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

    /** Returns the key of the ended jobs of this state, without cancelled schedules. */
    String ended(int slot, JobState state) {
        return slots[slot] + "end:" + state.name();
    }

    /** Returns the key of cancelled jobs of {@link Job#DECLARED_KEY}, which are never purged. */
    String cancelledSchedules(int slot) {
        return slots[slot] + "end:SCHEDULES";
    }

    /** Returns the key of the set of ended jobs that contains this job. */
    String ended(Job job) {
        int slot = slotOf(job.id());
        return job.state() == JobState.CANCELLED && Job.DECLARED_KEY.equals(job.key())
                ? cancelledSchedules(slot)
                : ended(slot, job.state());
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

    /** Returns a key of the register, which has a slot of its own. */
    String meta(String name) {
        return namespace + "{meta}:" + name;
    }

    /** Returns an id as a member of a set: its 16 bytes. The order of such members is the order of ids. */
    static String member(JobId id) {
        return Bytes.text(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(id.value().getMostSignificantBits())
                .putLong(id.value().getLeastSignificantBits())
                .array());
    }

    /** Returns the id in a member: the whole member, or its end. */
    static JobId id(byte[] member) {
        ByteBuffer bytes = ByteBuffer.wrap(member, member.length - 2 * Long.BYTES, 2 * Long.BYTES);
        return new JobId(new UUID(bytes.getLong(), bytes.getLong()));
    }

    /** Returns the ids of a run of ids. */
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

    /**
     * Returns name and key as a field. The lengths of name and key come first, so no field is the beginning of another.
     */
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

    /** Returns the field of a job's name and key; {@code null} for a job without key. */
    static @Nullable String field(Job job) {
        return job.key() == null ? null : field(job.name(), job.key());
    }
}
