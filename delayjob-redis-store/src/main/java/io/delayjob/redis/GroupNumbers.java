package io.delayjob.redis;

import io.delayjob.job.GroupCounts;
import io.lettuce.core.KeyValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of groups' members in each slot. They change in the scripts that begin and end members ({@link
 * GroupCount}). A member begins and ends in the same slot, so the numbers of a slot always fit together. Thread-safe.
 */
final class GroupNumbers {

    private static final String[] FIELDS = {
        GroupCount.BEGUN, GroupCount.FINISHED, GroupCount.FAILED, GroupCount.CANCELLED
    };

    /** A deleted group refuses members that another call was about to add, for an hour. */
    private static final String SECONDS_AFTER_THE_END = "3600";

    private final RedisLink link;
    private final Writes writes;
    private final Keyspace keys;

    GroupNumbers(RedisLink link, Writes writes, Keyspace keys) {
        this.link = link;
        this.writes = writes;
        this.keys = keys;
    }

    /** The numbers of a group in one slot. */
    private record Place(UUID group, int slot) {}

    /** Returns the numbers of groups in each slot. */
    Map<UUID, List<GroupCounts>> read(List<UUID> groups) {
        List<Place> places = new ArrayList<>();
        groups.forEach(group -> slots().forEach(slot -> places.add(new Place(group, slot))));
        List<List<KeyValue<String, byte[]>>> rows = link.askAll(
                "counting members of groups",
                places,
                (redis, place) -> redis.hmget(keys.groupNumbers(place.slot, place.group), FIELDS));
        Map<UUID, List<GroupCounts>> numbers = new LinkedHashMap<>();
        for (int i = 0; i < places.size(); i++) {
            numbers.computeIfAbsent(places.get(i).group, first -> new ArrayList<>())
                    .add(counts(rows.get(i)));
        }
        return numbers;
    }

    private static GroupCounts counts(List<KeyValue<String, byte[]>> row) {
        long[] numbers = row.stream()
                .mapToLong(number -> number.hasValue() ? Long.parseLong(Bytes.text(number.getValue())) : 0)
                .toArray();
        return new GroupCounts(numbers[0], numbers[1], numbers[2], numbers[3]);
    }

    static GroupCounts sum(List<GroupCounts> numbers) {
        return numbers.stream().reduce(GroupCounts.NONE, GroupCounts::plus);
    }

    GroupCounts sum(UUID group) {
        return sum(read(List.of(group)).getOrDefault(group, List.of()));
    }

    private List<Integer> slots() {
        return IntStream.range(0, keys.slots()).boxed().toList();
    }

    /** Returns some groups whose numbers have changed since they were {@linkplain #settle settled}, with the slots. */
    Map<UUID, Set<Integer>> changed(int limitOfSlot) {
        List<Integer> slots = slots();
        List<List<byte[]>> found = link.askAll(
                "looking for changed groups",
                slots,
                (redis, slot) -> redis.srandmember(keys.changedGroups(slot), limitOfSlot));
        Map<UUID, Set<Integer>> changed = new HashMap<>();
        for (int slot : slots) {
            for (byte[] member : found.get(slot)) {
                changed.computeIfAbsent(Keyspace.id(member).value(), first -> new HashSet<>())
                        .add(slot);
            }
        }
        return changed;
    }

    /** Notes that nothing is to be done about a group in these slots, unless its numbers have changed meanwhile. */
    void settle(UUID group, Set<Integer> slots, List<GroupCounts> numbers) {
        run(
                "noting members of a group",
                slots.stream()
                        .map(slot -> {
                            String key = keys.groupNumbers(slot, group);
                            GroupCounts seen = numbers.get(slot);
                            return new ScriptBatch()
                                    .ifField(key, GroupCount.BEGUN, text(seen.begun()))
                                    .ifField(key, GroupCount.FINISHED, text(seen.finished()))
                                    .ifField(key, GroupCount.FAILED, text(seen.failed()))
                                    .ifField(key, GroupCount.CANCELLED, text(seen.cancelled()))
                                    .remove("SREM", keys.changedGroups(slot), member(group));
                        })
                        .toList());
    }

    /** Returns the value of a number, which does not exist while it is zero. */
    private static byte[] text(long number) {
        return number == 0 ? new byte[0] : Bytes.of(Long.toString(number));
    }

    /** Lets a group take no further members in any slot. Each seal of a group is unique. */
    void seal(UUID group, String seal) {
        run(
                "sealing a group",
                slots().stream()
                        .map(slot -> new ScriptBatch()
                                .write(
                                        "HSET",
                                        keys.groupNumbers(slot, group),
                                        Bytes.of(GroupCount.SEAL),
                                        Bytes.of(seal)))
                        .toList());
    }

    @Nullable
    String sealOf(UUID group, int slot) {
        byte[] seal = link.ask("reading a group", redis -> redis.hget(keys.groupNumbers(slot, group), GroupCount.SEAL));
        return seal == null ? null : Bytes.text(seal);
    }

    /** Lets a group take members in a slot again, unless it has got another seal. */
    void unseal(UUID group, int slot, String seal) {
        String key = keys.groupNumbers(slot, group);
        run(
                "opening a group again",
                List.of(new ScriptBatch()
                        .ifField(key, GroupCount.SEAL, Bytes.of(seal))
                        .remove("HDEL", key, Bytes.of(GroupCount.SEAL))));
    }

    /** Deletes the numbers of a group that no longer exists. */
    void delete(UUID group) {
        run(
                "deleting a group",
                slots().stream()
                        .map(slot -> new ScriptBatch()
                                .remove("SREM", keys.changedGroups(slot), member(group))
                                .write("EXPIRE", keys.groupNumbers(slot, group), Bytes.of(SECONDS_AFTER_THE_END)))
                        .toList());
    }

    private static byte[] member(UUID group) {
        return Bytes.of(Keyspace.member(group));
    }

    private void run(String doing, List<ScriptBatch> batches) {
        writes.run(
                doing,
                LuaScript.APPLY,
                batches.stream().map(batch -> new Writes.Call(batch.end())).toList());
    }
}
