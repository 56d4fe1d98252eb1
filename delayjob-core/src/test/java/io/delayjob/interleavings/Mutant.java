package io.delayjob.interleavings;

/**
 * A fault that is put into a copy of a real class, and the check that must find it.
 *
 * @param name a description of the fault in the form of a package name, such as {@code bound_is_checked_then_raised}
 * @param className the simple name of the class that gets the fault
 * @param original the part of its source that is replaced, which must occur once
 * @param fault the source that replaces it
 * @param race the scenario in which the fault has an effect
 * @param caughtBy the message of the check that fails
 */
public record Mutant(String name, String className, String original, String fault, Scenario race, String caughtBy) {

    String applyTo(String source) {
        String patched = source.replace(original, fault);
        boolean once =
                patched.length() - source.length() == fault.length() - original.length() && !fault.equals(original);
        if (!once || !source.contains(original)) {
            throw new IllegalStateException(
                    "The mutant %s does not fit %s any more: '%s' must occur there exactly once. Rewrite it after the new code."
                            .formatted(name, className, original));
        }
        return patched;
    }

    @Override
    public String toString() {
        return name;
    }
}
