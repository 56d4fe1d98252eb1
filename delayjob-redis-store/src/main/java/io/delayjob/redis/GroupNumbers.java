package io.delayjob.redis;

import io.delayjob.job.GroupCounts;
import io.lettuce.core.KeyValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the numbers of members of each group in each slot. When a script starts or ends a member, the script
 * also changes these numbers (see {@link GroupCount}). A member starts and ends in the same slot, so the numbers of a
 * slot are always consistent. Thread-safe.
 */
final class GroupNumbers {

    private static final String[] FIELDS = {
        GroupCount.BEGUN, GroupCount.FINISHED, GroupCount.FAILED, GroupCount.CANCELLED
    };

    private static final byte[] NONE = new byte[0];

    /** Number of seconds for which a group still refuses new members after the group has ended or was deleted. */
    private static final String SECONDS_AFTER_THE_END = "3600";

    private final RedisLink link;
    private final Writes writes;
    private final Keyspace keys;

    GroupNumbers(RedisLink link, Writes writes, Keyspace keys) {
        this.link = link;
        this.writes = writes;
        this.keys = keys;
    }

    private record Place(UUID group, int slot) {}

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

    Map<UUID, GroupCounts> sums(List<UUID> groups) {
        Map<UUID, GroupCounts> sums = new HashMap<>();
        read(groups).forEach((group, numbers) -> sums.put(group, sum(numbers)));
        return sums;
    }

    private List<Integer> slots() {
        return IntStream.range(0, keys.slots()).boxed().toList();
    }

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

    /**
     * {@link GroupFolder} says why one slot with unfinished members is checked first.
     *
     * @param slots for each group, the slots with changed numbers
     * @param numbers the numbers of each group, which were read after {@code slots}
     */
    void settle(Map<UUID, Set<Integer>> slots, Map<UUID, List<GroupCounts>> numbers) {
        List<Place> first = new ArrayList<>();
        List<Place> rest = new ArrayList<>();
        slots.forEach((group, ofGroup) -> {
            List<GroupCounts> read = Objects.requireNonNull(numbers.get(group));
            slots().stream()
                    .filter(slot -> !read.get(slot).isComplete())
                    .findFirst()
                    .ifPresent(slot -> first.add(new Place(group, slot)));
            ofGroup.forEach(slot -> rest.add(new Place(group, slot)));
        });
        Set<UUID> changed = settle(first, numbers);
        rest.removeIf(place -> changed.contains(place.group));
        rest.removeAll(Set.copyOf(first));
        settle(rest, numbers);
    }

    /** Returns the groups that stay in the sets of changed groups, because their numbers have changed again. */
    private Set<UUID> settle(List<Place> places, Map<UUID, List<GroupCounts>> numbers) {
        GroupScripts scripts = new GroupScripts();
        for (Place place : places) {
            String key = keys.groupNumbers(place.slot, place.group);
            GroupCounts seen = Objects.requireNonNull(numbers.get(place.group)).get(place.slot);
            scripts.add(
                    place.slot,
                    script -> script.ifField(key, GroupCount.BEGUN, text(seen.begun()))
                            .ifField(key, GroupCount.FINISHED, text(seen.finished()))
                            .ifField(key, GroupCount.FAILED, text(seen.failed()))
                            .ifField(key, GroupCount.CANCELLED, text(seen.cancelled()))
                            .remove("SREM", keys.changedGroups(place.slot), member(place.group)));
        }
        List<Boolean> settled = scripts.run(writes, "noting members of groups");
        return IntStream.range(0, places.size())
                .filter(i -> !settled.get(i))
                .mapToObj(i -> places.get(i).group)
                .collect(Collectors.toSet());
    }

    /** A zero is not stored, so the check for a zero expects no field. */
    private static byte[] text(long number) {
        return number == 0 ? NONE : Bytes.of(Long.toString(number));
    }

    /** The seal of a group is the version of the group's row, so each version has a different seal. */
    void seal(List<GroupRow> groups) {
        inAllSlots("sealing groups", groups, (group, slot, script) -> {
            String key = keys.groupNumbers(slot, group.id());
            script.acceptedIfFull(key)
                    .write("HSET", key, Bytes.of(GroupCount.SEAL), Bytes.of(Long.toString(group.version())));
        });
    }

    void refuseJobOfFailure(GroupRow group) {
        inAllSlots("cancelling a group", List.of(group), (cancelled, slot, script) -> {
            String key = keys.groupNumbers(slot, cancelled.id());
            script.acceptedIfFull(key).write("HSET", key, Bytes.of(GroupCount.ANY_FAILED), Bytes.of("1"));
        });
    }

    @Nullable
    String sealOf(UUID group, int slot) {
        byte[] seal = link.ask("reading a group", redis -> redis.hget(keys.groupNumbers(slot, group), GroupCount.SEAL));
        return seal == null ? null : Bytes.text(seal);
    }

    /** Does nothing if the group now has a different seal in this slot. */
    void unseal(UUID group, int slot, String seal) {
        String key = keys.groupNumbers(slot, group);
        GroupScripts scripts = new GroupScripts();
        scripts.add(
                slot,
                script -> script.ifField(key, GroupCount.SEAL, Bytes.of(seal))
                        .remove("HDEL", key, Bytes.of(GroupCount.SEAL)));
        scripts.run(writes, "opening a group again");
    }

    /**
     * Lets the numbers of ended groups expire, because the rows of the groups contain the sums. If a hash of numbers
     * contains the field {@link GroupCount#ALL_ENDED} or {@link GroupCount#ANY_FAILED}, the hash stays until the group
     * is deleted.
     */
    void retire(List<GroupRow> ended) {
        inAllSlots("ending groups", ended, (group, slot, script) -> {
            String key = keys.groupNumbers(slot, group.id());
            expire(
                    script.ifField(key, GroupCount.ALL_ENDED, NONE).ifField(key, GroupCount.ANY_FAILED, NONE),
                    slot,
                    group.id());
        });
    }

    /** Until the numbers of a group expire, their seal still prevents new members. */
    void delete(List<UUID> groups) {
        inAllSlots("deleting groups", groups, (group, slot, script) -> {
            script.remove("SREM", keys.changedGroups(slot), member(group));
            expire(script, slot, group);
        });
    }

    private void expire(ScriptBatch script, int slot, UUID group) {
        script.write("EXPIRE", keys.groupNumbers(slot, group), Bytes.of(SECONDS_AFTER_THE_END));
    }

    private static byte[] member(UUID group) {
        return Bytes.of(Keyspace.member(group));
    }

    private interface Change<G> {
        void add(G group, int slot, ScriptBatch script);
    }

    private <G> void inAllSlots(String doing, List<G> groups, Change<G> change) {
        GroupScripts scripts = new GroupScripts();
        for (G group : groups) {
            slots().forEach(slot -> scripts.add(slot, script -> change.add(group, slot, script)));
        }
        scripts.run(writes, doing);
    }
}
