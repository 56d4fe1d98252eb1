package io.delayjob.store;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Says what a store can do, and which failures its jobs survive. The capabilities of a store never change.
 *
 * @param durability the failures that an acknowledged write survives
 */
public record StoreCapabilities(Durability durability, Set<StoreCapability> has) {

    public StoreCapabilities {
        has = Set.copyOf(has);
    }

    /** Tells whether the store has this ability. */
    public boolean has(StoreCapability capability) {
        return has.contains(capability);
    }

    /** Returns a text with the durability and the missing abilities. */
    @Override
    public String toString() {
        String missing = Arrays.stream(StoreCapability.values())
                .filter(capability -> !has(capability))
                .map(StoreCapability::ability)
                .collect(Collectors.joining(", or "));
        return missing.isEmpty() ? durability.meaning() : "%s; it does not %s".formatted(durability.meaning(), missing);
    }
}
