package io.delayjob.store;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Says what a store can do, and which failures its jobs survive. Immutable. The capabilities of a store never change.
 *
 * @param durability the failures that an acknowledged write survives
 * @param has the abilities of the store; a call that needs another ability is refused
 */
public record StoreCapabilities(Durability durability, Set<StoreCapability> has) {

    public StoreCapabilities {
        has = Set.copyOf(has);
    }

    /** Tells whether the store has this ability. */
    public boolean has(StoreCapability capability) {
        return has.contains(capability);
    }

    /** Returns a text with the durability and the missing abilities, which delayjob logs when an application starts. */
    @Override
    public String toString() {
        String missing = Arrays.stream(StoreCapability.values())
                .filter(capability -> !has(capability))
                .map(StoreCapability::ability)
                .collect(Collectors.joining(", or "));
        return missing.isEmpty() ? durability.meaning() : "%s; it does not %s".formatted(durability.meaning(), missing);
    }
}
