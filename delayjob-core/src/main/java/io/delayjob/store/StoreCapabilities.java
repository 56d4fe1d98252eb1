package io.delayjob.store;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a store can do, and how safe a job is in it. Immutable; a store answers the same all its life.
 *
 * @param durability what becomes of acknowledged writes in a crash
 * @param has the abilities that it has; all others are refused
 */
public record StoreCapabilities(Durability durability, Set<StoreCapability> has) {

    public StoreCapabilities {
        has = Set.copyOf(has);
    }

    /** Whether the store has this ability. */
    public boolean has(StoreCapability capability) {
        return has.contains(capability);
    }

    /** For the log of a start: the durability, and the abilities that are missing. */
    @Override
    public String toString() {
        String missing = Arrays.stream(StoreCapability.values())
                .filter(capability -> !has(capability))
                .map(StoreCapability::ability)
                .collect(Collectors.joining(", or "));
        return missing.isEmpty() ? durability.meaning() : "%s; it does not %s".formatted(durability.meaning(), missing);
    }
}
